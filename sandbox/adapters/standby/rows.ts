import { unusable, type Postgres } from './postgres.ts'

/** The only row of the lease: who has it, and how far changesets and copy have come. */
export interface LeaseRow {
  readonly format: number
  /** Rises with each takeover: no earlier holder can write. */
  readonly epoch: number
  /** The number of changesets so far. */
  readonly position: number
  /** The newest copy of the database file, and the number of changesets in it. */
  readonly copy: string | null
  readonly copyPosition: number
  /** The process that has it, or had it last. */
  readonly owner: string
  readonly name: string
  readonly address: string
  /** Until the lease ends, by the clock of PostgreSQL. */
  readonly leftMs: number
}

/** A process as the others know it. */
export interface Member {
  /** The same at each start on a data folder. */
  readonly owner: string
  /** For people. */
  readonly name: string
  readonly machine: string
  /** The advertised host and port of the bench. */
  readonly address: string
  readonly isLoopback: boolean
}

const LEASE = `format, epoch::float8, position::float8, copy, copy_position::float8 AS "copyPosition", owner, name, address,
  (extract(epoch FROM expires - now()) * 1000)::float8 AS "leftMs"`

/** The format of the tables. */
const FORMAT = 1

/** Makes the tables if they are not there. Rejects with StorageError `unusable` for those of a later version. */
export async function openTables({ query, schema }: Postgres): Promise<void> {
  const [found] = await query<{ name: string | null }>("SELECT to_regclass('hb.lease') AS name")
  if (found?.name === null)
    await query(`
      CREATE SCHEMA IF NOT EXISTS "${schema}";
      CREATE TABLE hb.lease (
        format int4 PRIMARY KEY, epoch int8 NOT NULL, position int8 NOT NULL, copy text, copy_position int8 NOT NULL, holder text,
        owner text NOT NULL, name text NOT NULL, address text NOT NULL, expires timestamptz NOT NULL
      ) WITH (fillfactor = 10);
      CREATE TABLE hb.changesets (position int8 PRIMARY KEY, bytes bytea NOT NULL);
      CREATE TABLE hb.copies (copy text, chunk int4, bytes bytea NOT NULL, PRIMARY KEY (copy, chunk));
      CREATE TABLE hb.members (
        owner text PRIMARY KEY, name text NOT NULL, machine text NOT NULL, address text NOT NULL, is_loopback boolean NOT NULL,
        alive_until timestamptz NOT NULL
      );
      ALTER TABLE hb.changesets ALTER COLUMN bytes SET STORAGE EXTERNAL;
      INSERT INTO hb.lease VALUES (${FORMAT}, 0, 0, NULL, 0, NULL, '', '', '', 'epoch')`)
  const lease = await readLease({ query })
  if (lease.format > FORMAT)
    throw unusable(
      `a later version of Hookbench made schema "${schema}"; use that version, or another ?schema=`,
    )
}

type Query = Pick<Postgres, 'query'>

const after = (milliseconds: string) => `now() + ${milliseconds} * interval '1 millisecond'`

export async function readLease({ query }: Query): Promise<LeaseRow> {
  const [row] = await query<LeaseRow>(`SELECT ${LEASE} FROM hb.lease`)
  if (row) return row
  throw unusable('the row of its lease is missing; use another ?schema=')
}

/** Takes the lease if it has ended, or if an earlier run on this data folder has it. Returns undefined if it is another's. */
export async function takeLease({ query }: Query, { owner, name, address }: Member, by: Taking) {
  const [row] = await query<LeaseRow>(
    `UPDATE hb.lease SET epoch = epoch + 1, holder = $1, owner = $2, name = $3, address = $4, expires = ${after('$5')}
     WHERE expires < now() OR owner = $2 RETURNING ${LEASE}`,
    [by.holder, owner, name, address, by.leaseMs],
  )
  return row
}

/** A taking of the lease. */
export interface Taking {
  /** Random. */
  readonly holder: string
  readonly leaseMs: number
}

/**
 * Extends the lease, also if it has ended and nobody has taken it. A statement of an earlier epoch that is still under way cannot
 * change anything then. Returns undefined if another process has taken it.
 */
export async function renewLease({ query }: Query, { holder, leaseMs }: Taking) {
  const [row] = await query<LeaseRow>(
    `UPDATE hb.lease SET epoch = epoch + 1, expires = ${after('$2')} WHERE holder = $1 RETURNING ${LEASE}`,
    [holder, leaseMs],
  )
  return row
}

/** Ends the lease, so that a standby takes it at once. */
export async function releaseLease({ query }: Query, { holder }: Taking): Promise<void> {
  await query("UPDATE hb.lease SET holder = NULL, owner = '', expires = 'epoch' WHERE holder = $1", [holder])
}

export type Fence = Pick<LeaseRow, 'epoch' | 'position'>

/** Adds the next changeset and extends the lease. Returns false, and changes nothing, if the fence is not what PostgreSQL has. */
export async function appendChangeset(
  { query }: Query,
  fence: Fence & Pick<Taking, 'leaseMs'>,
  bytes: Uint8Array,
): Promise<boolean> {
  const rows = await query(
    `WITH fence AS (
       UPDATE hb.lease SET position = position + 1, expires = ${after('$4')} WHERE epoch = $1 AND position = $2 RETURNING position
     )
     INSERT INTO hb.changesets SELECT position, $3 FROM fence RETURNING 1`,
    [fence.epoch, fence.position, bytes, fence.leaseMs],
  )
  return rows.length > 0
}

/** Returns the next changesets behind a position. */
export async function readChangesets(
  { query }: Query,
  behind: number,
  most: number,
): Promise<readonly Uint8Array[]> {
  const rows = await query<{ position: number; bytes: Uint8Array }>(
    'SELECT position::float8, bytes FROM hb.changesets WHERE position > $1 ORDER BY position LIMIT $2',
    [behind, most],
  )
  const isNext = rows[0]?.position === behind + 1
  return isNext ? rows.map(({ bytes }) => bytes) : []
}

interface Chunk {
  readonly copy: string
  /** Counted from 0. */
  readonly chunk: number
}

/** Adds a part of a copy that nobody reads yet. */
export async function addChunk({ query }: Query, { copy, chunk }: Chunk, bytes: Uint8Array): Promise<void> {
  await query('INSERT INTO hb.copies VALUES ($1, $2, $3)', [copy, chunk, bytes])
}

/** Returns undefined behind the last chunk. */
export async function readChunk({ query }: Query, { copy, chunk }: Chunk): Promise<Uint8Array | undefined> {
  const sql = 'SELECT bytes FROM hb.copies WHERE copy = $1 AND chunk = $2'
  const [row] = await query<{ bytes: Uint8Array }>(sql, [copy, chunk])
  return row?.bytes
}

/** Makes a copy the one to load, and removes the others and the changesets that are in it. */
export async function publishCopy({ query }: Query, { epoch, position }: Fence, copy: string): Promise<void> {
  await query(
    `WITH fence AS (
       UPDATE hb.lease SET copy = $2, copy_position = $3 WHERE epoch = $1 RETURNING 1
     ), removed AS (
       DELETE FROM hb.changesets WHERE position <= $3 AND EXISTS (SELECT FROM fence)
     )
     DELETE FROM hb.copies WHERE copy <> $2 AND EXISTS (SELECT FROM fence)`,
    [epoch, copy, position],
  )
}

/** Notes that a process is alive, and returns another one that nobody can tell from it, or that cannot reach it. */
export async function register(
  { query }: Query,
  member: Member,
  leaseMs: number,
): Promise<Member | undefined> {
  const { owner, name, machine, address, isLoopback } = member
  const [rival] = await query<Member>(
    `WITH own AS (
       INSERT INTO hb.members VALUES ($1, $2, $3, $4, $5, ${after('$6')}) ON CONFLICT (owner)
       DO UPDATE SET name = $2, machine = $3, address = $4, is_loopback = $5, alive_until = ${after('$6')}
     )
     SELECT name, address, is_loopback AS "isLoopback" FROM hb.members WHERE owner <> $1 AND alive_until > now()
     AND (address = $4 OR machine <> $3 AND (is_loopback OR $5)) ORDER BY name LIMIT 1`,
    [owner, name, machine, address, isLoopback, leaseMs],
  )
  return rival
}

export async function unregister({ query }: Query, { owner }: Member): Promise<void> {
  await query('DELETE FROM hb.members WHERE owner = $1 OR alive_until < now()', [owner])
}

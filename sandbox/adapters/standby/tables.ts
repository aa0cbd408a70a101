import { unusable, type Postgres } from './postgres.ts'

export interface Member {
  /** The id of the data folder. The id is the same for all runs on the data folder. */
  readonly owner: string
  /** The host name of the machine. */
  readonly name: string
  /** The advertised host and port of the control API. */
  readonly address: string
  readonly isLoopback: boolean
}

export interface LeaseRow {
  /** Increases when a process takes or renews the lease. This prevents writes by earlier holders and by statements in flight. */
  readonly epoch: number
  /** The number of changesets in PostgreSQL so far. */
  readonly position: number
  /** The id of the newest copy of the database file. `copyPosition` is the number of changesets in this copy. */
  readonly copy: string | null
  readonly copyPosition: number
  /** The process that holds the lease or held it last. Empty after the lease is released. */
  readonly member: Partial<Member>
  readonly leftMs: number
}

export const LEASE = `epoch::float8, position::float8, copy, copy_position::float8 AS "copyPosition", member,
  (extract(epoch FROM expires - now()) * 1000)::float8 AS "leftMs"`

export const after = (parameter: string) => `now() + ${parameter} * interval '1 millisecond'`

/** Creates missing tables. A later version with incompatible tables must rename the lease table. */
export async function openTables({ query }: Postgres): Promise<void> {
  const [found] = await query<{ name: string | null }>("SELECT to_regclass('hb.lease') AS name")
  if (found?.name !== null) return
  await query(`
    CREATE SCHEMA IF NOT EXISTS hb;
    CREATE TABLE hb.lease (
      epoch int8 NOT NULL, position int8 NOT NULL, copy text, copy_position int8 NOT NULL, holder text,
      member jsonb NOT NULL, expires timestamptz NOT NULL
    ) WITH (fillfactor = 10);
    CREATE TABLE hb.changesets (position int8 PRIMARY KEY, bytes bytea NOT NULL);
    CREATE TABLE hb.copies (copy text, chunk int4, bytes bytea NOT NULL, PRIMARY KEY (copy, chunk));
    CREATE TABLE hb.members (owner text PRIMARY KEY, member jsonb NOT NULL, alive_until timestamptz NOT NULL);
    ALTER TABLE hb.changesets ALTER COLUMN bytes SET STORAGE EXTERNAL;
    INSERT INTO hb.lease VALUES (0, 0, NULL, 0, NULL, '{}', 'epoch')`)
}

export async function readLease({ query }: Postgres): Promise<LeaseRow> {
  const [row] = await query<LeaseRow>(`SELECT ${LEASE} FROM hb.lease`)
  if (row) return row
  throw unusable('the row with the lease is missing. Use another ?schema=')
}

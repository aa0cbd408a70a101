import { setTimeout as pause, setImmediate as nextTurn } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { appendFileSync, rmSync } from 'node:fs'
import { StorageError } from '../../engine/state/storage-error.ts'
import { takeLease } from './holding.ts'
import { openPostgres, unusable, type Postgres } from './postgres.ts'
import { openShippedDisk, type ShippingOptions } from './shipped-disk.ts'
import { after, openTables, readLease, type Member, type LeaseRow } from './tables.ts'
import { formatOf } from '../../engine/state/schema.ts'
import { withStorageErrors } from '../sqlite/storage-errors.ts'

export interface CandidateOptions extends Pick<ShippingOptions, 'onError'> {
  readonly url: string
  readonly leaseMs: number
  readonly path: string
  readonly member: Member
  /** The record of why this process does not serve the sandbox. */
  readonly waiting: StandbyState
}

export interface StandbyState {
  /** The process that serves the sandbox. Undefined if no process serves the sandbox. */
  active?: Partial<Member> | undefined
  /** The reason why PostgreSQL is unusable. Undefined if PostgreSQL is usable. */
  trouble?: StorageError | undefined
}

export type Held = NonNullable<Awaited<ReturnType<typeof take>>>

/** How many times the candidate polls the lease per lease time. */
const LOOKS = 20
const REGISTRATIONS = 3

/** Creates a candidate for the lease, whose holder serves the sandbox. Rejects with StorageError `unusable` if PostgreSQL fails. */
export async function createCandidate(options: CandidateOptions) {
  const { url, leaseMs, path, member, waiting, onError } = options
  const db = await openPostgres(url, leaseMs)
  let registering: NodeJS.Timeout | undefined

  async function join(): Promise<void> {
    await openTables(db)
    const rival = (await register(db, member, leaseMs)).find((other) => isRival(member, other))
    if (rival) {
      await unregister(db, member)
      throw unusable(
        `the addresses ${member.address} of this process and ${rival.address} of the live process "${rival.name}" conflict. Give each process a different address that is not loopback, with --listen or --advertise`,
      )
    }
    const repeat = () => void register(db, member, leaseMs).catch(() => {})
    registering = setInterval(repeat, leaseMs / REGISTRATIONS).unref()
  }

  async function look(local: LocalCopy): Promise<Held | undefined> {
    if (!registering) await join()
    const lease = await readLease(db)
    const isFree = lease.leftMs < 0 || lease.member.owner === member.owner
    Object.assign(waiting, { active: isFree ? undefined : lease.member, trouble: undefined })
    if (isFree) return take(db, local, options)
    await local.follow(lease)
    return undefined
  }

  return {
    /** Copies the data of the serving process until this process gets the lease. Rejects with StorageError. */
    async take(signal: AbortSignal): Promise<Held | undefined> {
      const local = createLocalCopy(path, db)
      try {
        while (!signal.aborted) {
          const held = await look(local).catch((error: unknown) => {
            if (!(error instanceof StorageError) || error.kind !== 'away') throw error
            if (waiting.trouble?.message !== error.message) onError(error)
            waiting.trouble = error
          })
          if (held) return held
          await pause(leaseMs / LOOKS, undefined, { signal }).catch(() => {})
        }
        return undefined
      } finally {
        local.close()
      }
    },
    async close(): Promise<void> {
      clearInterval(registering)
      await unregister(db, member).catch(() => {})
      await db.close()
    },
  }
}

async function take(db: Postgres, local: LocalCopy, { member, leaseMs, onError }: CandidateOptions) {
  const holding = await takeLease(db, member, leaseMs)
  if (!holding) return undefined
  try {
    await local.load(holding.lease)
  } catch (error) {
    await holding.release()
    throw error
  }
  const shipping = { db, holding, copiedFormat: local.format(), onError }
  return {
    ...holding,
    openDisk: (path: string, database: DatabaseSync) => openShippedDisk(path, database, shipping),
  }
}

/** Registers this process in PostgreSQL as alive. Returns the other live processes. */
async function register({ query }: Postgres, member: Member, leaseMs: number): Promise<readonly Member[]> {
  const rows = await query<{ member: Member }>(
    `WITH own AS (
       INSERT INTO hb.members VALUES ($1, $2, ${after('$3')})
       ON CONFLICT (owner) DO UPDATE SET member = $2, alive_until = ${after('$3')}
     )
     SELECT member FROM hb.members WHERE owner <> $1 AND alive_until > now()`,
    [member.owner, member, leaseMs],
  )
  return rows.map((row) => row.member)
}

async function unregister({ query }: Postgres, { owner }: Member): Promise<void> {
  await query('DELETE FROM hb.members WHERE owner = $1 OR alive_until < now()', [owner])
}

/** Returns true for equal addresses. On different machines, also returns true if one process is reachable only on loopback. */
function isRival(one: Member, other: Member): boolean {
  if (one.name === other.name) return one.address === other.address
  return one.isLoopback || other.isLoopback || one.address === other.address
}

type LocalCopy = ReturnType<typeof createLocalCopy>

function createLocalCopy(path: string, db: Postgres) {
  let database: DatabaseSync | undefined
  let position = 0
  removeStore(path)

  function close(): void {
    database?.close()
    database = undefined
  }

  async function loadCopy(copy: string, copyPosition: number): Promise<void> {
    close()
    removeStore(path)
    await download(path, db, copy)
    // Stops if the copy was replaced, because the lease holder can replace the copy and remove its chunks at any time.
    if ((await readLease(db)).copy !== copy) return
    database = new DatabaseSync(path)
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536')
    position = copyPosition
  }

  async function applySome(): Promise<boolean> {
    const loaded = database
    if (!loaded) return false
    const rows = await db.query<{ position: number; bytes: Uint8Array }>(
      'SELECT position::float8, bytes FROM hb.changesets WHERE position > $1 ORDER BY position LIMIT 64',
      [position],
    )
    if (rows[0]?.position !== position + 1) return false
    loaded.exec('BEGIN')
    for (const row of rows) {
      if (!withStorageErrors(path, () => loaded.applyChangeset(row.bytes)))
        throw damage(`changeset ${row.position} does not match the copy`)
      position = row.position
      // Yields to the event loop, so that other work can run, such as the extension of the lease.
      await nextTurn()
    }
    withStorageErrors(path, () => loaded.exec('COMMIT'))
    return true
  }

  async function follow({ copy, copyPosition }: LeaseRow): Promise<void> {
    if (copy !== null && (!database || position < copyPosition)) await loadCopy(copy, copyPosition)
    while (await applySome());
  }

  return {
    close,
    format: () => database && formatOf(database),
    follow,
    /** Applies the changesets up to the position of the lease. Rejects with StorageError `damaged` if a changeset is missing. */
    async load(lease: LeaseRow): Promise<void> {
      await follow(lease)
      if (position === lease.position) return
      throw damage(`changeset ${position + 1} of ${lease.position} is missing`)
    },
  }
}

async function download(path: string, { query }: Postgres, copy: string): Promise<void> {
  for (let chunk = 0; ; chunk++) {
    const sql = 'SELECT bytes FROM hb.copies WHERE copy = $1 AND chunk = $2'
    const [row] = await query<{ bytes: Uint8Array }>(sql, [copy, chunk])
    if (!row) return
    withStorageErrors(path, () => appendFileSync(path, row.bytes, { mode: 0o600 }))
  }
}

function removeStore(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.head']) rmSync(path + suffix, { force: true })
}

function damage(detail: string): StorageError {
  const remedy = 'Restore a backup of PostgreSQL, or start over with another ?schema= in the URL'
  const message = `Cannot load the store from PostgreSQL: ${detail}. ${remedy}`
  return new StorageError('damaged', message, { detail })
}

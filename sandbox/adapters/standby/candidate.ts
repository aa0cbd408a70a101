import { randomUUID } from 'node:crypto'
import { clearInterval, setInterval } from 'node:timers'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../engine/state/storage-error.ts'
import type { Disk } from '../../engine/state/disk.ts'
import { createHolding, type Holding } from './holding.ts'
import { createLocalCopy, removeStore, type LocalCopy } from './local-copy.ts'
import { openPostgres, unusable, type Postgres } from './postgres.ts'
import { openTables, readLease, register, takeLease, unregister, type LeaseRow, type Member } from './rows.ts'
import { openShippedDisk, type ShippingOptions } from './shipped-disk.ts'

export interface CandidateOptions extends Pick<ShippingOptions, 'bytesOfACopy' | 'onError'> {
  /** Of PostgreSQL. */
  readonly url: string
  /** For how long the lease is taken. */
  readonly leaseMs: number
  /** The local database file. */
  readonly path: string
  readonly member: Member
  /** What it notes while it does not serve. */
  readonly waiting: Waiting
}

/** The lease, with the local file loaded. */
export interface Held {
  readonly holding: Holding
  openDisk(path: string, database: DatabaseSync): Disk
}

/** Why a process that does not serve does not. */
export interface Waiting {
  /** The process that serves; undefined if none does. */
  active?: Pick<LeaseRow, 'name' | 'address'> | undefined
  /** Why PostgreSQL cannot be used; undefined if it can. */
  trouble?: StorageError | undefined
}

export type Candidate = Awaited<ReturnType<typeof createCandidate>>

/** How often in the time of a lease a standby looks at it, and a process notes that it is alive. */
const LOOKS = 20
const REGISTRATIONS = 3

// As they are now: fake timers of a test are not for the sandbox.
const { performance } = globalThis

/** A process that serves the sandbox of a database whenever it gets the lease. Rejects with StorageError `unusable`. */
export async function createCandidate(options: CandidateOptions) {
  const { url, leaseMs, path, member, waiting } = options
  const db = await openPostgres(url, leaseMs)
  const membership = createMembership(db, member, leaseMs)

  async function look(local: LocalCopy): Promise<Held | undefined> {
    await membership.join()
    const lease = await readLease(db)
    const isFree = lease.leftMs < 0 || lease.owner === member.owner
    Object.assign(waiting, { active: isFree ? undefined : lease, trouble: undefined })
    if (isFree) return take(db, local, options)
    await local.follow(lease)
    return undefined
  }

  return {
    /**
     * Follows the process that serves until this one has the lease. Resolves with undefined when the signal aborts. Rejects with
     * StorageError where a human has to act.
     */
    async take(signal: AbortSignal): Promise<Held | undefined> {
      removeStore(path)
      const local = createLocalCopy(path, db)
      try {
        while (!signal.aborted) {
          const held = await look(local).catch((error: unknown) => {
            if (!(error instanceof StorageError) || error.kind !== 'away') throw error
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
      await membership.leave()
      await db.close()
    },
  }
}

async function take(db: Postgres, local: LocalCopy, options: CandidateOptions): Promise<Held | undefined> {
  const taking = { holder: randomUUID(), leaseMs: options.leaseMs, sentAt: performance.now() }
  const lease = await takeLease(db, options.member, taking)
  if (!lease) return undefined
  const holding = createHolding(db, lease, taking)
  try {
    await local.follow(lease)
    local.check(lease)
  } catch (error) {
    await holding.release()
    throw error
  }
  const shipping = { ...options, db, holding, copiedFormat: local.format() }
  return { holding, openDisk: (path, database) => openShippedDisk(path, database, shipping) }
}

/** Notes that this process is alive, and refuses an address that is of no use to others. */
function createMembership(db: Postgres, member: Member, leaseMs: number) {
  const startedAt = performance.now()
  let timer: NodeJS.Timeout | undefined

  return {
    /** Joins, once. Waits for the end of a process that was killed. */
    async join(): Promise<void> {
      if (timer) return
      await openTables(db)
      const rival = await register(db, member, leaseMs)
      if (rival) await unregister(db, member)
      const isLate = performance.now() > startedAt + 2 * leaseMs
      if (rival)
        throw isLate ? unusable(describe(member, rival)) : new StorageError('away', describe(member, rival))
      timer = setInterval(
        () => void register(db, member, leaseMs).catch(() => {}),
        leaseMs / REGISTRATIONS,
      ).unref()
    },
    async leave(): Promise<void> {
      clearInterval(timer)
      await unregister(db, member).catch(() => {})
    },
  }
}

function describe({ address }: Member, rival: Member): string {
  const isSame = rival.address === address
  const state = isSame
    ? `process "${rival.name}" has registered the address ${address}, too`
    : `"${rival.name}" at ${rival.address} is on another machine, and ${rival.isLoopback ? rival.address : address} is loopback`
  return `${state}; give each process an address of its own with --listen or --advertise`
}

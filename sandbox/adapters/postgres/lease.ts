import { randomUUID } from 'node:crypto'
import { StorageError } from '../../engine/state/log.ts'
import type { Database } from './database.ts'
import { createDeadline } from './deadline.ts'
import type { LeaseKeeper } from './lease-keeper.ts'
import { findWorld, releaseWorld, retakeWorld, takeWorld, type WorldRow } from './world-rows.ts'

/**
 * The right to write a world, until it runs out by the clock of PostgreSQL. The node regards it as lost earlier: it counts from when it
 * sent the statement, by a clock that nobody moves.
 */
export interface Lease {
  /** The world as it was when it was taken. */
  readonly world: WorldRow
  /** A name of its own for this taking. */
  readonly holder: string
  readonly epoch: number
  readonly durationMs: number
  readonly isHeld: boolean
  /** By the clock that `extend` counts by. */
  now(): number
  /** A statement that was sent at `sentAt` has extended it. */
  extend(sentAt: number): void
  /** Takes it again with a later epoch; the world as it is then, or undefined if another has taken it. */
  retake(): Promise<WorldRow | undefined>
  /** Calls back when it has run out (nothing given), or when it shows that another has taken it. Once for each time. */
  onLost(listener: (isTaken: boolean) => void): void
  /** From now on nobody extends it. */
  drop(): void
  /** Gives it back. Never rejects: it runs out by itself. */
  release(): Promise<void>
}

export interface LeaseOptions {
  /** What others know this node by. */
  readonly node: string
  readonly durationMs: number
}

/** Another node has the world. */
export interface TakenWorld {
  readonly node: string
  readonly leftMs: number
}

/** `world` is the one that was taken; `taken` says who has it; neither if there is no world of that name. */
export interface Acquisition {
  readonly lease?: Lease
  readonly taken?: TakenWorld
}

/** Takes the world of a name if nobody has it. Rejects with StorageError `damaged` for one that is not to be opened. */
export async function acquireLease(
  database: Database,
  name: string,
  { keeper, ...options }: LeaseOptions & { readonly keeper: LeaseKeeper },
): Promise<Acquisition> {
  const { node, durationMs: leaseMs } = options
  const holder = randomUUID()
  const sentAt = performance.now()
  const world = await takeWorld(database, name, { holder, node, leaseMs })
  if (world?.problem != null) {
    await releaseWorld(database, { world: world.number, holder, epoch: world.epoch })
    throw refusal(world, database)
  }
  if (world) return { lease: createLease(database, world, { keeper, holder, durationMs: leaseMs, sentAt }) }
  const found = await findWorld(database, name)
  return found ? { taken: { node: found.node ?? '', leftMs: found.leftMs } } : {}
}

function refusal({ name, problem }: WorldRow, { tables }: Pick<Database, 'tables'>): StorageError {
  const detail = String(problem)
  return new StorageError(
    'damaged',
    `Cannot open world "${name}": ${detail}; put back the database that has them, or go on without them: ` +
      `UPDATE ${tables.worlds} SET problem = NULL WHERE name = '${name}'`,
    { detail },
  )
}

interface LeasePorts {
  readonly keeper: LeaseKeeper
  readonly holder: string
  readonly durationMs: number
  readonly sentAt: number
}

const nobodyTold: Parameters<Lease['onLost']>[0] = () => {}

function createLease(
  database: Database,
  world: WorldRow,
  { keeper, holder, durationMs, sentAt }: LeasePorts,
): Lease {
  let { epoch } = world
  let lastTried = epoch
  let lost = nobodyTold
  const deadline = createDeadline(sentAt, durationMs, () => lost(false))
  const kept = { world: world.number, holder, epoch: () => epoch, deadline, lose: () => lost(true) }
  keeper.add(kept)

  function drop(): void {
    keeper.remove(kept)
    deadline.end()
    // Who is told has the whole world in memory, and somebody may have the lease for long.
    lost = nobodyTold
  }

  return {
    world,
    holder,
    get epoch() {
      return epoch
    },
    durationMs,
    get isHeld() {
      return deadline.leftMs > 0
    },
    now: () => performance.now(),
    extend: deadline.putOff,
    async retake() {
      const [next, at] = [++lastTried, performance.now()]
      const retaken = await retakeWorld(database, world.number, { holder, epoch: next, leaseMs: durationMs })
      if (!retaken) return undefined
      epoch = next
      deadline.putOff(at)
      return retaken
    },
    onLost(listener) {
      lost = listener
    },
    drop,
    async release() {
      drop()
      await releaseWorld(database, { world: world.number, holder, epoch }).catch(() => {})
    },
  }
}

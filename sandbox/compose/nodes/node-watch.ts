import type { NodeList } from '../../adapters/postgres/node-list.ts'
import type { PostgresWorlds } from '../../adapters/postgres/postgres-worlds.ts'
import type { RealTime } from '../../engine/core/ports.ts'
import { StorageError } from '../../engine/state/log.ts'
import { WorldElsewhereError, WorldGoneError, type WorldRecord } from '../../engine/state/world-directory.ts'
import type { WorldRegistry } from '../world-registry.ts'
import type { NodeRouter } from './node-router.ts'

export interface NodeWatchPorts {
  readonly worlds: PostgresWorlds
  readonly registry: Pick<WorldRegistry, 'ids' | 'isOpen' | 'use' | 'drop' | 'close'>
  readonly nodes: Pick<NodeList, 'beat'>
  readonly router: Pick<NodeRouter, 'passesOn' | 'cutLeft'>
  readonly realTime: Pick<RealTime, 'now' | 'elapsed' | 'after'>
  readonly leaseMs: number
  readonly onError: (where: string, error: unknown) => void
}

/** What a node does by itself for the others: says that it is alive, and takes up what nobody has. */
export interface NodeWatch {
  /** Resolves when nothing of it is under way any more. */
  close(): Promise<void>
}

/** How often in the time of a lease it is looked, and how seldom at most. */
const LOOKS = 10
const SELDOM_MS = 500
/** How often in the time of a lease a node says that it is alive, and how seldom at most: it learns of new ones then. */
const BEATS = 3
const SELDOM_BEAT_MS = 1_000
const CLEANED_EVERY_MS = 60_000

export function startNodeWatch(ports: NodeWatchPorts): NodeWatch {
  const { worlds, registry, nodes, router, realTime, leaseMs, onError } = ports
  let cancel = () => {}
  let isClosed = false
  let looking: Promise<void> = Promise.resolve()
  const { begin, settle } = createErrands(onError)
  const putOff = createPutOff(realTime)
  const isBeatDue = createDue(realTime, Math.min(SELDOM_BEAT_MS, leaseMs / BEATS))
  const isCleaningDue = createDue(realTime, CLEANED_EVERY_MS)

  async function take(world: WorldRecord): Promise<void> {
    try {
      await registry.use(world, async () => {})
    } catch (error) {
      if (isUsual(error)) return
      putOff.add(world.id)
      onError(`world "${world.name}"`, error)
    }
  }

  async function look(): Promise<void> {
    if (isBeatDue()) await nodes.beat()
    await dropRemoved(ports)
    if (router.passesOn) router.cutLeft(await worlds.owners())
    for (const world of await worlds.orphans()) {
      const isLeft = isClosed || registry.ids().includes(world.id) || putOff.has(world.id)
      if (!isLeft) begin(take(world))
    }
    for (const { id } of await findExpired(ports)) begin(worlds.remove(id, () => registry.close(id)))
    if (isCleaningDue()) begin(worlds.removeUnfinished())
  }

  async function lookOn(): Promise<void> {
    try {
      await look()
    } catch (error) {
      // What is away says so by itself, in each world that is open.
      if (!(error instanceof StorageError)) onError('the look for worlds', error)
    }
    if (!isClosed) cancel = realTime.after(Math.min(SELDOM_MS, leaseMs / LOOKS), lookAgain)
  }

  function lookAgain(): void {
    looking = lookOn()
  }

  lookAgain()
  return {
    async close() {
      isClosed = true
      cancel()
      await looking
      await settle()
    },
  }
}

/** What is done beside the looks, which do not wait for it. */
function createErrands(onError: NodeWatchPorts['onError']) {
  const underWay = new Set<Promise<void>>()
  return {
    begin(work: Promise<void>): void {
      const begun = work.catch((error: unknown) => onError('the look for worlds', error))
      underWay.add(begun)
      void begun.then(() => underWay.delete(begun))
    },
    async settle() {
      await Promise.all(underWay)
    },
  }
}

/** What another node removed is not answered in here, either. */
async function dropRemoved({ worlds, registry }: NodeWatchPorts): Promise<void> {
  // Asked before: what is opened meanwhile is on the list.
  const open = registry.ids()
  const listed = await worlds.list()
  const known = new Set([worlds.first, ...listed].map(({ id }) => id))
  for (const id of open) if (!known.has(id)) void registry.drop(id)
}

async function findExpired({ worlds, realTime }: NodeWatchPorts): Promise<readonly WorldRecord[]> {
  const listed = await worlds.list()
  return listed.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= realTime.now())
}

/** How long a world that could not be opened is left alone: it may never be, and that was said. */
const PUT_OFF_MS = 60_000

function createPutOff({ elapsed }: Pick<RealTime, 'elapsed'>) {
  const untilById = new Map<string, number>()
  return {
    add: (id: string) => void untilById.set(id, elapsed() + PUT_OFF_MS),
    has: (id: string) => (untilById.get(id) ?? 0) > elapsed(),
  }
}

/** Another node was quicker, the world was removed, or PostgreSQL is away. */
function isUsual(error: unknown): boolean {
  if (error instanceof WorldElsewhereError || error instanceof WorldGoneError) return true
  return error instanceof StorageError && error.kind === 'away'
}

/** Says once in so long that it is time. */
function createDue({ elapsed }: Pick<RealTime, 'elapsed'>, everyMs: number): () => boolean {
  let last = elapsed()
  return () => {
    if (elapsed() - last < everyMs) return false
    last = elapsed()
    return true
  }
}

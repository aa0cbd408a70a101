import {
  WorldElsewhereError,
  WorldGoneError,
  WorldTakenError,
  type WorldDirectory,
  type WorldRecord,
} from '../../engine/state/world-directory.ts'
import { createWorldIndex } from '../../engine/state/world-index.ts'
import type { Database } from './database.ts'
import type { Lease } from './lease.ts'
import type { PostgresNode } from './postgres-node.ts'
import {
  addRecord,
  findOrphans,
  findUnfinished,
  hideRecord,
  publishRecord,
  readId,
  readMark,
  readOwners,
  readRecords,
  takePause,
  writePause,
} from './record-rows.ts'

/** The worlds of a database. What is known of them here is read again when something is asked for that is not known. */
export interface PostgresWorlds extends WorldDirectory {
  /** The default world. It is kept as the others are; nobody finds it by what names it. */
  readonly first: WorldRecord
  /** Reads what there is, if that has changed. */
  refresh(): Promise<void>
  /** Worlds that nobody has and somebody should. */
  orphans(): Promise<readonly WorldRecord[]>
  /** Removes what nobody finished to add, or to remove. */
  removeUnfinished(): Promise<void>
  /** The names of the nodes that have worlds, by the ids of those. */
  owners(): Promise<ReadonlyMap<string, string>>
}

type Fill = Parameters<WorldDirectory['add']>[1]

/** How long before something is due its world is opened. */
const LEAD_MS = 100

export interface PostgresWorldsOptions {
  /** How the default world begins, if there is none yet. */
  readonly first: WorldRecord
  /** Called with each world that is opened here and was left behind, or is due: by itself or by a call. */
  readonly onTaken: (world: WorldRecord) => void
}

export async function openPostgresWorlds(
  node: PostgresNode,
  { first, onTaken }: PostgresWorldsOptions,
): Promise<PostgresWorlds> {
  const { database } = node
  await addFirst(database, first)
  const known = createKnownWorlds(node, first.id)
  await known.refresh()
  const { index, firstIndex, refresh } = known
  const { openLog, fillLog, epochOf } = createOpening(node, refresh)

  return {
    get first() {
      return known.first()
    },
    // The default one is here, too.
    isEmpty: false,
    list: () => refresh().then(() => index().list()),
    find(key, value) {
      const found = index().find(key, value)
      if (found || firstIndex().find(key, value)) return found
      return refresh().then(() => index().find(key, value))
    },
    async add(world, fill) {
      await addRecord(database, world, { isWhole: !fill })
      if (fill) await fillLog(world, fill)
      await refresh()
    },
    async remove(id, close) {
      const world = index().find('id', id)
      if (!world || !(await hideRecord(database, id))) return
      await refresh()
      await closeAndRemove(id, { close, node })
    },
    openLog,
    storePath: () => undefined,
    ...createPauses(database, { epochOf, onTaken }),
    refresh,
    async orphans() {
      const ids = await findOrphans(database)
      if (ids.length > 0) await refresh()
      return ids.flatMap((id) => (id === first.id ? known.first() : (index().find('id', id) ?? [])))
    },
    async removeUnfinished() {
      for (const id of await findUnfinished(database)) await node.removeUnfinished(id)
    },
    owners: () => readOwners(database),
  }
}

/** One that could not be closed is removed, too: what is open of it is fenced then. */
async function closeAndRemove(
  id: string,
  { close, node }: { readonly close: () => Promise<void>; readonly node: PostgresNode },
): Promise<void> {
  try {
    await close()
  } finally {
    await node.remove(id)
  }
}

/** Unless it is there. */
async function addFirst(database: Database, first: WorldRecord): Promise<void> {
  await addRecord(database, first, { isWhole: true }).catch((error: unknown) => {
    if (!(error instanceof WorldTakenError)) throw error
  })
}

/** Takes worlds, and fills new ones. */
function createOpening(node: PostgresNode, refresh: () => Promise<void>) {
  const { database } = node
  /** By which each was opened last. The registry keeps one record from the opening to the pause. */
  const leaseOf = new WeakMap<WorldRecord, Lease>()

  async function acquire(world: WorldRecord): Promise<Lease> {
    const { lease, taken } = await node.acquire(world.name)
    if (taken) throw new WorldElsewhereError(world, taken)
    if (lease && (await isOf(lease, world))) return lease
    await lease?.release()
    await refresh()
    throw new WorldGoneError(world)
  }

  /** Another world may have this name by now. */
  async function isOf(lease: Lease, { id }: WorldRecord): Promise<boolean> {
    try {
      return (await readId(database, lease.world.number)) === id
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  async function fillLog(world: WorldRecord, fill: NonNullable<Fill>): Promise<void> {
    try {
      const pause = await fill(await node.openLog(await acquire(world)))
      await publishRecord(database, world.id, pause)
    } catch (error) {
      // Otherwise it is found later that nobody finished it.
      await node.remove(world.id).catch(() => {})
      throw error
    }
  }

  return {
    fillLog,
    async openLog(world: WorldRecord) {
      const lease = await acquire(world)
      leaseOf.set(world, lease)
      return node.openLog(lease)
    },
    epochOf: (world: WorldRecord) => leaseOf.get(world)?.epoch,
  }
}

function createPauses(
  database: Database,
  {
    epochOf,
    onTaken,
  }: Pick<PostgresWorldsOptions, 'onTaken'> & {
    readonly epochOf: (world: WorldRecord) => number | undefined
  },
): Pick<WorldDirectory, 'wakeAt' | 'takePause' | 'keepPause'> {
  return {
    // The database is asked which are due.
    wakeAt: () => null,
    async takePause(world) {
      const { pause, isLeft } = await takePause(database, world.id)
      if (isLeft) onTaken(world)
      return pause
    },
    async keepPause(world, pause) {
      const [{ id }, epoch] = [world, epochOf(world)]
      const inMs = pause.wakeAt === null ? null : Math.max(0, pause.wakeAt - Date.now() - LEAD_MS)
      if (epoch !== undefined) await writePause(database, { id, epoch, inMs }, pause)
    },
  }
}

/** What is known here; the default world apart from the others. */
function createKnownWorlds({ database }: PostgresNode, firstId: string) {
  let mark = ''
  let index = createWorldIndex()
  let firstIndex = createWorldIndex()
  let reading: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function read(): Promise<void> {
    const found = await readMark(database)
    if (found === mark) return
    const worlds = await readRecords(database)
    index = createWorldIndex(worlds.filter(({ id }) => id !== firstId))
    firstIndex = createWorldIndex(worlds.filter(({ id }) => id === firstId))
    mark = found
  }

  /** What was begun before may have missed what whoever asks is asked for: that one waits for the next. */
  function refresh(): Promise<void> {
    if (!reading) {
      reading = read().finally(() => (reading = undefined))
      return reading
    }
    next ??= reading
      .catch(() => {})
      .then(() => {
        next = undefined
        return refresh()
      })
    return next
  }

  return {
    index: () => index,
    firstIndex: () => firstIndex,
    first() {
      const [first] = firstIndex.list()
      if (!first) throw new Error('The default world is missing in the database')
      return first
    },
    refresh,
  }
}

import { DatabaseSync, type Session } from 'node:sqlite'
import { MEMORY } from '../../../../sandbox/adapters/sqlite/database.ts'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { toEntries } from '../../../support/stores.ts'
import { DEFAULT_WORLD } from '../../../../sandbox/engine/state/world-record.ts'

/** The tables of a store on a disk. A power loss can undo transactions. */
export interface DurableTables<State> {
  readonly writes: number
  attach(database: DatabaseSync): void
  /** Rolls back the open transaction. Discards all later writes. */
  detach(): void
  close(database: DatabaseSync): void
  add(state: State): void
  sync(writes: number): void
  /**
   * Discards unsynced transactions except the earliest ones. `share` is the share to keep, from 0 to 1. Call this function after
   * the process has ended.
   */
  losePower(share: number): void
  readonly state: State
  read<Result>(read: (database: DatabaseSync) => Result): Result
}

interface Image<State> {
  readonly bytes: Uint8Array
  readonly writes: number
  readonly state: State
}

interface Transaction<State> {
  readonly changes: Uint8Array
  readonly state: State
}

/** The number of transactions between two saved images of the database. After a power loss, the latest image is restored first. */
const IMAGE_DISTANCE = 50

/** Creates the tables. If `isAlwaysSynced` is true, no transaction can be undone. */
export function createDurableTables<State>(empty: State, isAlwaysSynced: boolean): DurableTables<State> {
  let resting: Uint8Array | undefined
  let live: { readonly database: DatabaseSync; session: Session } | undefined
  let base: Image<State> | undefined
  let transactions: Transaction<State>[] = []
  let [writes, synced, state] = [0, 0, empty]

  function startFrom(bytes: Uint8Array): void {
    base = { bytes, writes, state }
    transactions = []
  }

  function captureChanges(): Uint8Array {
    if (!live) throw new Error('Cannot add a transaction: no process has the database')
    const changes = live.session.changeset()
    live.session.close()
    live.session = live.database.createSession()
    return changes
  }

  function detach(): void {
    if (!live) return
    const { database, session } = live
    live = undefined
    session.close()
    if (database.isTransaction) database.exec('ROLLBACK')
    resting = database.serialize()
    if (synced === writes) startFrom(resting)
  }

  return {
    get writes() {
      return writes
    },
    get state() {
      return state
    },
    attach(database) {
      if (resting) database.deserialize(resting)
      resting = undefined
      live = { database, session: database.createSession() }
      if (!base) startFrom(database.serialize())
    },
    detach,
    close(database) {
      if (database === live?.database) detach()
    },
    add(next) {
      writes++
      state = next
      if (isAlwaysSynced) synced = writes
      else transactions.push({ changes: captureChanges(), state })
    },
    sync(covered) {
      synced = Math.max(synced, covered)
      const isWhole = synced === writes && transactions.length >= IMAGE_DISTANCE
      if (isWhole && live?.database.isTransaction === false) startFrom(live.database.serialize())
    },
    losePower(share) {
      if (!base) return
      const unsynced = writes - synced
      const kept = synced - base.writes + Math.min(unsynced, Math.floor(share * (unsynced + 1)))
      if (kept < transactions.length) resting = apply(base.bytes, transactions.slice(0, kept))
      state = transactions[kept - 1]?.state ?? base.state
      writes = base.writes + kept
      synced = writes
      if (resting) startFrom(resting)
    },
    read(read) {
      const content = new DatabaseSync(MEMORY)
      try {
        const bytes = resting ?? live?.database.serialize()
        if (bytes) content.deserialize(bytes)
        return read(content)
      } finally {
        content.close()
      }
    },
  }
}

function apply(bytes: Uint8Array, transactions: readonly Transaction<unknown>[]): Uint8Array {
  const database = new DatabaseSync(MEMORY)
  try {
    database.deserialize(bytes)
    for (const { changes } of transactions)
      if (!database.applyChangeset(changes)) throw new Error('A transaction does not fit to those before')
    return database.serialize()
  } finally {
    database.close()
  }
}

export interface TickedWorld {
  readonly world: number
  readonly ticks: readonly number[]
}

export const NO_WORLD: TickedWorld = { world: 0, ticks: [] }

export interface EntryTicks {
  open(database: DatabaseSync): (before: TickedWorld) => TickedWorld
}

const SELECT_ROWS = 'SELECT head, body FROM history WHERE world = ? AND position > ? ORDER BY position'

export function createEntryTicks(tick: () => number): EntryTicks {
  /** The tick of each entry, by position and content, so that restored entries keep their ticks. */
  const tickByEntry = new Map<string, number>()

  return {
    open(database) {
      const selectRows = database.prepare(SELECT_ROWS)
      const selectWorld = database.prepare('SELECT number FROM worlds WHERE name = ?')
      return (before) => {
        const at = tick()
        const world = Number(selectWorld.get(DEFAULT_WORLD)?.['number'] ?? 0)
        const isSame = world === before.world
        const ticks = isSame ? [...before.ticks] : []
        for (const row of selectRows.all(world, ticks.length)) {
          const key = `${ticks.length} ${JSON.stringify(row)}`
          const own = isSame ? at : (tickByEntry.get(key) ?? at)
          tickByEntry.set(key, own)
          ticks.push(own)
        }
        return { world, ticks }
      }
    },
  }
}

/** Reads the default world with a simple query, without the store's code. */
export function readDefaultWorld(database: DatabaseSync): readonly Entry[] {
  const world = database.prepare('SELECT number FROM worlds WHERE name = ?').get(DEFAULT_WORLD)
  return toEntries(database.prepare(SELECT_ROWS).all(world?.['number'] ?? 0, 0))
}

import { DatabaseSync } from 'node:sqlite'
import type { PastWorld } from '../../engine/state/store.ts'
import type { View } from '../../engine/state/view.ts'
import { defineSchema } from './database.ts'
import type { History } from './queries/history.ts'
import { createWorlds } from './queries/worlds.ts'
import { createSql } from './sql.ts'
import { createView } from './view.ts'
import { createWorldTables, type WorldTables } from './world-tables.ts'

export interface PastWorldPorts {
  /** The file of the store, for errors. */
  readonly path: string
  /** Runs a task after the work at hand. */
  readonly soon: (run: () => void) => void
}

/** How many entries are added before others have their turn: some milliseconds. */
const MOST_AT_ONCE = 200
/** A way from which savepoints are left behind. */
const LONG_WAY = 2_000

/** A world in memory with the first entries of another one, in a transaction that is never committed. */
interface Replayed {
  /** The number of the world that it was made from. */
  readonly of: number
  readonly tables: WorldTables
  readonly database: DatabaseSync
  /** Where it can go back to, in their order. The first is the beginning. */
  readonly savepoints: Savepoint[]
}

interface Savepoint {
  readonly position: number
  readonly latestAt: number
}

/** Adds the entries of the history to a world in memory, and goes back to savepoints for earlier instants. */
export function createPastWorld(present: () => WorldTables, { path, soon }: PastWorldPorts): PastWorld {
  let replayed: Replayed | undefined
  let last: Promise<unknown> = Promise.resolve()

  function forget(): void {
    replayed?.database.close()
    replayed = undefined
  }

  function start(): Replayed {
    const { number } = present()
    if (replayed?.of === number) return replayed
    forget()
    replayed = createReplayed(number, path)
    return replayed
  }

  async function look<Result>(instant: number, read: (view: View) => Result): Promise<Result> {
    const world = start()
    goBack(world, instant)
    const { history, state } = present()
    const stops = planStops(world.tables.state.length, findEnd(history, instant, state.length))
    while (!addSome(world, history, { instant, end: state.length, stops })) {
      await new Promise<void>((resolve) => soon(resolve))
      // The world was replaced meanwhile.
      if (replayed !== world || present().number !== world.of) return look(instant, read)
    }
    return read(createView(() => world.tables, path))
  }

  return {
    at<Result>(instant: number, read: (view: View) => Result): Promise<Result> {
      const looked = last.catch(() => {}).then(() => look(instant, read))
      last = looked
      return looked
    },
    beginsAt() {
      const { state, history } = present()
      return state.length === 0 ? undefined : history.readHead(1).at
    },
    instants(most) {
      const { state, history } = present()
      const count = Math.min(most, state.length)
      const positions = Array.from({ length: count }, (_, index) =>
        Math.ceil(((index + 1) * state.length) / count),
      )
      return [...new Set(positions.map((position) => history.readHead(position).at))]
    },
    forget,
  }
}

function createReplayed(of: number, path: string): Replayed {
  const database = new DatabaseSync(':memory:')
  defineSchema(database)
  const sql = createSql(database)
  const tables = createWorldTables(sql, createWorlds(sql).addState(), path)
  const replayed: Replayed = { of, database, tables, savepoints: [] }
  database.exec('BEGIN')
  keepSavepoint(replayed)
  return replayed
}

function keepSavepoint({ tables, database, savepoints }: Replayed): void {
  const { length: position, latest_at: latestAt } = tables.state
  tables.save()
  database.exec(`SAVEPOINT at_${position}`)
  savepoints.push({ position, latestAt })
}

/** To the last savepoint that has nothing later than the instant. */
function goBack({ tables, database, savepoints }: Replayed, instant: number): void {
  if (tables.state.latest_at <= instant) return
  while (savepoints.length > 1 && (savepoints.at(-1)?.latestAt ?? 0) > instant) savepoints.pop()
  database.exec(`ROLLBACK TO at_${savepoints.at(-1)?.position ?? 0}`)
  tables.reload()
}

/** How many entries are not later, or nearly so: entries are in the order of their instants, except a few. */
function findEnd(history: History, instant: number, length: number): number {
  let [first, last] = [0, length]
  while (first < last) {
    const middle = Math.ceil((first + last) / 2)
    if (history.readHead(middle).at <= instant) first = middle
    else last = middle - 1
  }
  return first
}

/** Where to leave savepoints on the way. Users mostly go back a little from where they are. */
function planStops(from: number, end: number): readonly number[] {
  const way = end - from
  return way < LONG_WAY ? [] : [2, 4, 8, 16].map((part) => end - Math.floor(way / part))
}

interface Way {
  readonly instant: number
  /** The position of the last entry on record. */
  readonly end: number
  readonly stops: readonly number[]
}

/** Adds the next entries that are not later; returns true if none is left. */
function addSome(replayed: Replayed, history: History, { instant, end, stops }: Way): boolean {
  const { tables } = replayed
  const { length } = tables.state
  for (const entry of history.after(length, Math.min(end, length + MOST_AT_ONCE))) {
    if (entry.head.at > instant) return true
    tables.add(entry)
    if (stops.includes(tables.state.length)) keepSavepoint(replayed)
  }
  return tables.state.length === end
}

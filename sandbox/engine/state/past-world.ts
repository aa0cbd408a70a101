import { entriesAfter, readHead } from './queries/history.ts'
import { createReplay } from './replay.ts'
import { addEntry, createView, type View } from './view.ts'
import type { StoredWorld } from './queries/world.ts'

/** The number of entries to replay in one turn of the event loop. Such a turn takes a few milliseconds. */
const MAX_AT_ONCE = 200
/** The minimum length, in entries, of a replay that sets savepoints. */
const LONG_WAY = 2_000

/** A replay of the first entries of a world, in a transaction that is never committed. */
interface Replayed extends ReturnType<typeof createReplay> {
  readonly of: number
  /** The savepoints of the transaction, oldest first. The first savepoint is the empty world. */
  readonly savepoints: { readonly position: number; readonly latestAt: number }[]
}

export type PastWorld = ReturnType<typeof createPastWorld>

/** Reads earlier states of a world. Replays the history in memory, and uses savepoints to go back. */
export function createPastWorld(present: StoredWorld, soon: (run: () => void) => void) {
  let replayed: Replayed | undefined
  let last: Promise<unknown> = Promise.resolve()

  function forget(): void {
    replayed?.database.close()
    replayed = undefined
  }

  function start(): Replayed {
    if (replayed?.of === present.number) return replayed
    forget()
    replayed = { ...createReplay(present.path), of: present.number, savepoints: [] }
    replayed.database.exec('BEGIN')
    keepSavepoint(replayed)
    return replayed
  }

  async function look<Result>(instant: number, read: (view: View) => Result): Promise<Result> {
    const past = start()
    goBack(past, instant)
    const end = present.state.length
    const stops = planStops(past.world.state.length, findEnd(present, instant))
    while (!addSome(past, present, { instant, end, stops })) {
      await new Promise<void>((resolve) => soon(resolve))
      // Starts again if the world was replaced during the replay.
      if (replayed !== past || present.number !== past.of) return look(instant, read)
    }
    return read(createView(past.world))
  }

  return {
    /** Reads the world at a past time. The view is valid until `read` returns. Concurrent calls run one after another. */
    at<Result>(instant: number, read: (view: View) => Result): Promise<Result> {
      const looked = last.catch(() => {}).then(() => look(instant, read))
      last = looked
      return looked
    },
    beginsAt: () => (present.state.length === 0 ? undefined : readHead(present, 1).at),
    /** Returns up to `most` distinct times of entries, evenly distributed over the history. The last entry is included. */
    instants(most: number): number[] {
      const { length } = present.state
      const count = Math.min(most, length)
      const positions = Array.from({ length: count }, (_, index) => Math.ceil(((index + 1) * length) / count))
      return [...new Set(positions.map((position) => readHead(present, position).at))]
    },
    forget,
  }
}

function keepSavepoint({ world, database, savepoints }: Replayed): void {
  const { length: position, latest_at: latestAt } = world.state
  world.writeRest()
  database.exec(`SAVEPOINT at_${position}`)
  savepoints.push({ position, latestAt })
}

function goBack({ world, database, savepoints }: Replayed, instant: number): void {
  if (world.state.latest_at <= instant) return
  while (savepoints.length > 1 && (savepoints.at(-1)?.latestAt ?? 0) > instant) savepoints.pop()
  database.exec(`ROLLBACK TO at_${savepoints.at(-1)?.position ?? 0}`)
  world.reload()
}

/** Returns the number of entries up to the given time, by binary search. The entries are almost sorted by time. */
function findEnd(present: StoredWorld, instant: number): number {
  let [first, last] = [0, present.state.length]
  while (first < last) {
    const middle = Math.ceil((first + last) / 2)
    if (readHead(present, middle).at <= instant) first = middle
    else last = middle - 1
  }
  return first
}

/** Returns positions for new savepoints. The distances are shorter near the end, because users usually go back only a little. */
function planStops(from: number, end: number): readonly number[] {
  const way = end - from
  return way < LONG_WAY ? [] : [2, 4, 8, 16].map((part) => end - Math.floor(way / part))
}

interface ReplayRange {
  readonly instant: number
  readonly end: number
  readonly stops: readonly number[]
}

function addSome(past: Replayed, present: StoredWorld, { instant, end, stops }: ReplayRange): boolean {
  const { world } = past
  const { length } = world.state
  for (const entry of entriesAfter(present, length, Math.min(end, length + MAX_AT_ONCE))) {
    if (entry.head.at > instant) return true
    addEntry(world, entry)
    if (stops.includes(world.state.length)) keepSavepoint(past)
  }
  return world.state.length === end
}

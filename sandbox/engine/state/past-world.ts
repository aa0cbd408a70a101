import { applyEntry } from './entry-kinds.ts'
import type { Log } from './log.ts'
import { createEmptyIndexes, loadCheckpoint, type LoadedIndexes } from './stored-indexes.ts'
import { createView, type View } from './view.ts'

/** The world as it was: the indexes of a prefix of the log, built when somebody looks. */
export interface PastWorld {
  /**
   * Calls `read` with the world as it was at an instant: with all that was on record until the first entry that is later. The
   * view holds until `read` returns. One after the other, since there is one such world at a time.
   */
  at<Result>(instant: number, read: (view: View) => Result): Promise<Result>
  /** The instant of the first entry; undefined if there is none. */
  beginsAt(): number | undefined
  /** The instants of so many entries at most, evenly among all, each once; the last is among them. */
  instants(most: number): number[]
  /** Frees the memory that it takes, as much as the world of now. */
  forget(): void
}

export interface PastWorldPorts {
  /** Another number whenever the world was replaced. */
  readonly epoch: () => number
  /** Has the log take what was committed. */
  readonly flush: () => void
  /** Runs a task after the work at hand. */
  readonly soon: (run: () => void) => void
}

/** How many entries are gone through before others have their turn: some milliseconds. */
const MOST_AT_ONCE = 1_000

type Built = LoadedIndexes & { readonly epoch: number }

export function createPastWorld(log: Log, { epoch, flush, soon }: PastWorldPorts): PastWorld {
  let built: Built | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** What is built already, if nothing in it is later; or else the last checkpoint, or nothing. */
  function startFor(instant: number): Built {
    if (built?.epoch === epoch() && built.indexes.present.latestAt <= instant) return built
    const checkpoint = loadCheckpoint(log, epoch())
    const isEarly = checkpoint !== undefined && checkpoint.indexes.present.latestAt <= instant
    return { ...(isEarly ? checkpoint : createEmptyIndexes(epoch())), epoch: epoch() }
  }

  async function build(instant: number): Promise<Built> {
    flush()
    const world = startFor(instant)
    built = world
    while (!takeSome(log, world, instant)) {
      await new Promise<void>((resolve) => soon(resolve))
      // Another world has taken its place: what is on record now is what was asked for.
      if (world.epoch !== epoch()) return build(instant)
    }
    return world
  }

  async function look<Result>(instant: number, read: (view: View) => Result): Promise<Result> {
    const world = await build(instant)
    return world.epoch === epoch() ? read(createView(() => world.indexes, log.read)) : look(instant, read)
  }

  return {
    at<Result>(instant: number, read: (view: View) => Result): Promise<Result> {
      const looked = last.catch(() => {}).then(() => look(instant, read))
      last = looked
      return looked
    },
    beginsAt() {
      flush()
      for (const { at } of log.heads()) return at
      return undefined
    },
    instants(most) {
      flush()
      const count = Math.min(most, log.length)
      const positions = Array.from({ length: count }, (_, index) =>
        Math.ceil(((index + 1) * log.length) / count),
      )
      return [...new Set(positions.map((position) => log.read(position).head.at))]
    },
    forget() {
      built = undefined
    },
  }
}

/** Takes in the next entries that are no later; whether there are no more of them. */
function takeSome(log: Log, world: Built, instant: number): boolean {
  let count = 0
  for (const head of log.heads(world.length)) {
    if (head.at > instant) return true
    if (count++ === MOST_AT_ONCE) return false
    applyEntry(world.indexes, head, ++world.length)
  }
  return true
}

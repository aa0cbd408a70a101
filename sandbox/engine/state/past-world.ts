import { applyEntry } from './entry-kinds.ts'
import type { Log } from './log.ts'
import { createAnchors, type Anchors } from './past-anchors.ts'
import { createEmptyIndexes, loadCheckpoint, openCheckpoint, type LoadedIndexes } from './stored-indexes.ts'
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

/** How far is further than to open a copy of a world. */
const LONG_WAY = 8_000

export function createPastWorld(log: Log, { epoch, flush, soon }: PastWorldPorts): PastWorld {
  let built: Built | undefined
  const anchors = createAnchors()
  let last: Promise<unknown> = Promise.resolve()

  async function build(instant: number): Promise<Built> {
    flush()
    const end = findEnd(log, instant)
    const world = startFor(log, { built, anchors, epoch: epoch(), instant, end })
    built = world
    const way = end - world.length
    const anchorAt = way > LONG_WAY ? end - way / 8 : Infinity
    for (let isAnchored = false; !takeSome(log, world, instant);) {
      if (!isAnchored && world.length >= anchorAt) {
        anchors.keep(world)
        isAnchored = true
      }
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
      return listInstants(log, most)
    },
    forget() {
      built = undefined
      anchors.forget()
    },
  }
}

interface Start {
  readonly built: Built | undefined
  readonly anchors: Anchors
  readonly epoch: number
  readonly instant: number
  /** How many entries are no later. */
  readonly end: number
}

/** What is nearest before the end: what is built already, the last checkpoint, what was kept on the way, or nothing. */
function startFor(log: Log, { built, anchors, epoch, instant, end }: Start): Built {
  const present = built?.epoch === epoch && built.indexes.present.latestAt <= instant ? built : undefined
  if (present && end - present.length <= LONG_WAY) return present
  const checkpoint = loadCheckpoint(log, epoch)
  const isEarly = checkpoint !== undefined && checkpoint.indexes.present.latestAt <= instant
  const start = isEarly ? checkpoint : createEmptyIndexes(epoch)
  const anchor = anchors.find(epoch, instant)
  const nearest = Math.max(start.length, anchor?.position ?? 0)
  if (present && present.length >= nearest) return present
  return { ...(anchor?.position === nearest ? openCheckpoint(anchor, epoch) : start), epoch }
}

function listInstants(log: Log, most: number): number[] {
  const count = Math.min(most, log.length)
  const positions = Array.from({ length: count }, (_, index) => Math.ceil(((index + 1) * log.length) / count))
  return [...new Set(positions.map((position) => log.read(position).head.at))]
}

/** How many entries are no later, as near as makes no difference: they are in the order of their instants but for a few. */
function findEnd(log: Log, instant: number): number {
  let [first, last] = [0, log.length]
  while (first < last) {
    const middle = Math.ceil((first + last) / 2)
    if (log.read(middle).head.at <= instant) first = middle
    else last = middle - 1
  }
  return first
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

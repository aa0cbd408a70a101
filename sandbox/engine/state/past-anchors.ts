import { encodeCopy } from './checkpoint.ts'
import type { Checkpoint } from './log.ts'
import type { LoadedIndexes } from './stored-indexes.ts'

/** A world on the way to one that was looked at. */
export interface Anchor extends Checkpoint {
  /** The instant of its last entry. */
  readonly latestAt: number
  readonly epoch: number
}

/** Who looks back mostly goes a little further back, again and again: a few worlds on the way are kept for that, compressed. */
export interface Anchors {
  keep(world: LoadedIndexes & { readonly epoch: number }): void
  /** The last one in which nothing is later than the instant. */
  find(epoch: number, instant: number): Anchor | undefined
  forget(): void
}

const MOST = 3

export function createAnchors(): Anchors {
  /** Oldest first. */
  let anchors: readonly Anchor[] = []
  return {
    keep({ data, indexes, length: position, epoch }) {
      const { latestAt } = indexes.present
      const others = anchors.filter((each) => each.epoch === epoch && each.position < position)
      anchors = [...others, { position, bytes: encodeCopy(data.copy()), latestAt, epoch }].slice(-MOST)
    },
    find: (epoch, instant) => anchors.findLast((each) => each.epoch === epoch && each.latestAt <= instant),
    forget() {
      anchors = []
    },
  }
}

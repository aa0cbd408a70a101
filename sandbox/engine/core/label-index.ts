import type { Column } from './column.ts'

/** A row of small numbers, its labels, that knows how many of each stand before any place without walking there. */
export interface LabelIndex {
  readonly length: number
  push(label: number): void
  set(place: number, label: number): void
  get(place: number): number
  /** How many of these labels there are before a place; in all if it is left out. */
  count(wanted: readonly number[], end?: number): number
  /** The places of at most `limit` of these labels, without the first `skip`. */
  places(wanted: readonly number[], skip: number, limit: number): readonly number[]
}

/** How many places are counted together, the largest first: a million are 15 of the first, 64 of the second, and 1,024 labels. */
const SIZES = [65_536, 1_024]
const SMALLEST = 1_024

/** Counts what the column holds already, and what comes. */
export function createLabelIndex(labels: Column): LabelIndex {
  const counts = createCounts()
  for (let start = 0; start < labels.length; start += SMALLEST) countBlock(start, { labels, counts })
  return {
    get length() {
      return labels.length
    },
    push(label) {
      counts.add(labels.length, label, 1)
      labels.push(label)
    },
    set(place, label) {
      counts.add(place, labels.get(place), -1)
      counts.add(place, label, 1)
      labels.set(place, label)
    },
    get: labels.get,
    count(wanted, end = labels.length) {
      if (end >= labels.length) return counts.total(wanted)
      let counted = 0
      let place = 0
      for (const size of SIZES)
        for (; place + size <= end; place += size) counted += counts.block(size, place, wanted)
      const isWanted = toTable(wanted)
      for (; place < end; place++) counted += isWanted[labels.get(place)] ?? 0
      return counted
    },
    places: (wanted, skip, limit) => findPlaces({ labels, counts, wanted }, skip, limit),
  }
}

interface Counted {
  readonly labels: Column
  readonly counts: ReturnType<typeof createCounts>
}

/** Adds the labels of a block of the smallest size, each kind at once: one by one took a third of a start. */
function countBlock(start: number, { labels, counts }: Counted): void {
  const found = new Uint32Array(256)
  const end = Math.min(labels.length, start + SMALLEST)
  for (let place = start; place < end; place++) {
    const label = labels.get(place)
    found[label] = (found[label] ?? 0) + 1
  }
  for (const [label, count] of found.entries()) if (count > 0) counts.add(start, label, count)
}

interface Search extends Counted {
  readonly wanted: readonly number[]
}

function findPlaces({ labels, counts, wanted }: Search, skip: number, limit: number): readonly number[] {
  const isWanted = toTable(wanted)
  const found: number[] = []
  let left = skip
  let place = 0

  /** Steps over a whole block with no more than what is to be left out. */
  function stepOver(): boolean {
    const size = SIZES.find(
      (each) =>
        place % each === 0 && place + each <= labels.length && counts.block(each, place, wanted) <= left,
    )
    if (size === undefined) return false
    left -= counts.block(size, place, wanted)
    place += size
    return true
  }

  while (place < labels.length && found.length < limit) {
    if (stepOver()) continue
    const end = Math.min(labels.length, place - (place % SMALLEST) + SMALLEST)
    for (; place < end && found.length < limit; place++) {
      if (isWanted[labels.get(place)] !== 1) continue
      if (left > 0) left--
      else found.push(place)
    }
  }
  return found
}

/** How many of each label there are, in all and in each block of each size. */
function createCounts() {
  const totals: number[] = []
  const bySize = new Map(SIZES.map((size) => [size, new Map<number, number[]>()]))
  return {
    add(place: number, label: number, by: number): void {
      totals[label] = (totals[label] ?? 0) + by
      for (const [size, byLabel] of bySize) {
        const blocks = byLabel.get(label) ?? []
        byLabel.set(label, blocks)
        const block = Math.floor(place / size)
        while (blocks.length <= block) blocks.push(0)
        blocks[block] = (blocks[block] ?? 0) + by
      }
    },
    total: (wanted: readonly number[]) => wanted.reduce((sum, label) => sum + (totals[label] ?? 0), 0),
    /** Of these labels, in the block of this size that begins at a place. */
    block(size: number, place: number, wanted: readonly number[]): number {
      const byLabel = bySize.get(size)
      let counted = 0
      for (const label of wanted) counted += byLabel?.get(label)?.[place / size] ?? 0
      return counted
    },
  }
}

function toTable(wanted: readonly number[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const label of wanted) table[label] = 1
  return table
}

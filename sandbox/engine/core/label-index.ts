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

/** How many places are counted together, the largest first: up to any of a million lie 15 blocks of each and 255 labels at most. */
const SIZES = [65_536, 4_096, 256] as const
const SMALLEST = 256

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
      for (const { size, count } of counts.levels)
        for (; place + size <= end; place += size) counted += count(place, wanted)
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

  /** Steps over whole blocks with no more than what is to be left out; at a place where larger ones begin, over those first. */
  function stepOver(): boolean {
    const from = place
    for (const { size, larger, count } of counts.levels)
      while (place % size === 0 && place + size <= labels.length) {
        const counted = count(place, wanted)
        if (counted > left || (place > from && place % larger === 0)) break
        left -= counted
        place += size
      }
    return place > from
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
  const levels = SIZES.map((size, index) => createLevel(size, SIZES[index - 1]))
  return {
    levels,
    add(place: number, label: number, by: number): void {
      totals[label] = (totals[label] ?? 0) + by
      for (const level of levels) level.add(place, label, by)
    },
    total: (wanted: readonly number[]) => wanted.reduce((sum, label) => sum + (totals[label] ?? 0), 0),
  }
}

function createLevel(size: number, larger = Number.POSITIVE_INFINITY) {
  const blocksByLabel: (number[] | undefined)[] = []
  return {
    size,
    larger,
    add(place: number, label: number, by: number): void {
      const blocks = (blocksByLabel[label] ??= [])
      const block = Math.floor(place / size)
      while (blocks.length <= block) blocks.push(0)
      blocks[block] = (blocks[block] ?? 0) + by
    },
    /** Of these labels, in the block that begins at a place. */
    count(place: number, wanted: readonly number[]): number {
      const block = place / size
      let counted = 0
      for (const label of wanted) counted += blocksByLabel[label]?.[block] ?? 0
      return counted
    },
  }
}

function toTable(wanted: readonly number[]): Uint8Array {
  const table = new Uint8Array(256)
  for (const label of wanted) table[label] = 1
  return table
}

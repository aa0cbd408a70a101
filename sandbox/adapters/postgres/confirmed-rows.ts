import type { EntryRow } from './entry-rows.ts'
import { createScratch, type Scratch } from './scratch.ts'
import { damage } from './storage-errors.ts'

/** The stored rows of one generation that PostgreSQL has, as they are here. */
export interface ConfirmedRows extends Pick<
  Scratch,
  'readCheckpoint' | 'writeCheckpoint' | 'isClosed' | 'close'
> {
  /** How many PostgreSQL has. */
  readonly length: number
  add(rows: readonly EntryRow[]): void
  read(position: number): EntryRow
  /** Heads of the next positions, one behind the other; at least one, and some of those that are asked for. */
  heads(from: number): readonly RowHead[]
  /** Those that are here of so many positions from this one on. */
  rows(from: number, count: number): readonly EntryRow[]
  /** Takes in what came from PostgreSQL. */
  fill(from: number, rows: readonly EntryRow[]): void
  /** All of it has come. */
  endFilling(): void
}

export type RowHead = Pick<EntryRow, 'head' | 'head_sum'>

/** What is here of the rows that PostgreSQL has, and the way to the others. */
export interface FirstRows {
  /** How many PostgreSQL has. */
  readonly length: number
  /** The heads behind the first `after`, which are here before the rows are. */
  readonly ahead?: { readonly after: number; readonly heads: readonly RowHead[] } | undefined
  /** Waits for rows that are not here yet: the first, and those behind it up to so many, without a gap. */
  readonly fetch?: ((from: number, count: number) => readonly EntryRow[]) | undefined
}

/** Many at once cost little each, and they are in memory until then. */
const SAVED_AT_ONCE = 256
const HEADS_AT_ONCE = 1_000
/** Who reads one mostly reads its neighbours. */
const FETCHED_AT_ONCE = 32

export function createConfirmedRows(world: string, initial: FirstRows): ConfirmedRows {
  const { fetch = () => [] } = initial
  const scratch = createScratch()
  let { length, ahead } = initial
  let unsaved: EntryRow[] = []

  function save(): void {
    if (unsaved.length > 0) scratch.write(length - unsaved.length + 1, unsaved)
    unsaved = []
  }

  function fetchSome(from: number, count: number): readonly EntryRow[] {
    const fetched = fetch(from, count)
    if (fetched.length === 0) throw damage(world, `entry ${from} is missing`)
    scratch.write(from, fetched)
    return fetched
  }

  return {
    get length() {
      return length
    },
    add(rows) {
      for (const row of rows) unsaved.push(row)
      length += rows.length
      if (unsaved.length >= SAVED_AT_ONCE) save()
    },
    read(position) {
      const row = unsaved[position - (length - unsaved.length) - 1] ?? scratch.read(position)
      return row ?? first(fetchSome(position, Math.min(FETCHED_AT_ONCE, length - position + 1)))
    },
    heads(from) {
      save()
      const count = Math.min(HEADS_AT_ONCE, length - from + 1)
      const before = ahead?.heads.slice(from - ahead.after - 1, from - ahead.after - 1 + count) ?? []
      if (ahead && from > ahead.after && before.length > 0) return before
      const near = nearHeads(scratch, from, count)
      return near.length > 0 ? near : fetchSome(from, count)
    },
    rows(from, count) {
      save()
      return scratch.rows(from, count)
    },
    fill: scratch.write,
    endFilling() {
      ahead = undefined
    },
    readCheckpoint: scratch.readCheckpoint,
    writeCheckpoint: scratch.writeCheckpoint,
    isClosed: scratch.isClosed,
    close: scratch.close,
  }
}

/** Those that are here, up to the first gap. */
function nearHeads(scratch: Scratch, from: number, count: number): readonly RowHead[] {
  const found = scratch.heads(from, count)
  const gap = found.findIndex(({ position }, index) => position !== from + index)
  return gap === -1 ? found : found.slice(0, gap)
}

function first([row]: readonly EntryRow[]): EntryRow {
  if (row) return row
  throw new RangeError('There are no rows')
}

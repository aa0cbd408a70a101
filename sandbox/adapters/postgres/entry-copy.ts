import type { Entry, Head } from '../../engine/state/entries.ts'
import { createRecentEntries } from '../sqlite/recent-entries.ts'
import { createConfirmedRows, type ConfirmedRows, type FirstRows } from './confirmed-rows.ts'
import { toEntry, toHead, toRow, type EntryRow } from './entry-rows.ts'

/** The node's own copy of the entries of one generation, and those that PostgreSQL has not confirmed yet. */
export interface EntryCopy extends Pick<
  ConfirmedRows,
  'rows' | 'fill' | 'endFilling' | 'readCheckpoint' | 'writeCheckpoint' | 'isClosed' | 'close'
> {
  /** How many there are, confirmed or not. */
  readonly length: number
  /** How many PostgreSQL has. */
  readonly confirmed: number
  append(entries: readonly Entry[]): void
  /** Those that are not confirmed, as they are stored. */
  unconfirmed(): readonly EntryRow[]
  /** The first so many of those are. */
  confirm(count: number): void
  /** Forgets those that are not. */
  goBack(): void
  /** Takes rows that were forgotten as confirmed: they were. */
  regain(rows: readonly EntryRow[]): void
  read(position: number): Entry
  heads(after: number): Iterable<Head>
}

/** `world` is its name, for messages. */
export function createEntryCopy(world: string, initial: FirstRows): EntryCopy {
  const confirmed = createConfirmedRows(world, initial)
  const recent = createRecentEntries()
  let unconfirmed: EntryRow[] = []
  const end = () => confirmed.length + unconfirmed.length
  const findRow = (position: number) =>
    unconfirmed[position - confirmed.length - 1] ?? confirmed.read(position)

  function* heads(after: number): Iterable<Head> {
    let position = after + 1
    while (position <= confirmed.length)
      for (const row of confirmed.heads(position)) yield toHead(row, { world, position: position++ })
    for (; position <= end(); position++) yield toHead(findRow(position), { world, position })
  }

  return {
    ...confirmed,
    get length() {
      return end()
    },
    get confirmed() {
      return confirmed.length
    },
    append(entries) {
      const first = end() + 1
      // Whatever cannot be written throws before anything is taken in.
      const rows = entries.map((entry, index) => toRow(first + index, entry))
      for (const row of rows) unconfirmed.push(row)
      for (const [index, entry] of entries.entries()) recent.add(first + index, entry)
    },
    // More may come while these are under way.
    unconfirmed: () => [...unconfirmed],
    confirm(count) {
      const rows = unconfirmed.slice(0, count)
      unconfirmed = unconfirmed.slice(count)
      confirmed.add(rows)
    },
    goBack() {
      unconfirmed = []
      recent.clear()
    },
    regain: confirmed.add,
    read(position) {
      if (!(position >= 1 && position <= end()))
        throw new RangeError(`Cannot read entry ${position}: the log has ${end()}`)
      return recent.get(position) ?? toEntry(findRow(position), { world, position })
    },
    heads,
  }
}

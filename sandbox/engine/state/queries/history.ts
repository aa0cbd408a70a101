import { crc32 } from 'node:zlib'
import type { Entry, Head } from '../entries.ts'
import { CorruptBodyError, damage, readIfWhole } from '../storage-error.ts'
import type { StoredWorld } from './world.ts'

interface HeadRow {
  readonly position: number
  readonly kind: string
  readonly head: string
  readonly head_sum: number
}

interface Row extends HeadRow {
  readonly body_sum: number
  readonly body: string
}

const HEAD_COLUMNS = 'position, kind, head, head_sum'
const COLUMNS = `${HEAD_COLUMNS}, body_sum, body`
const INSERT = `INSERT INTO history (world, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`
const ROWS_AT_ONCE = 256

export function addToHistory(world: StoredWorld, position: number, entry: Entry): number {
  const { kind } = entry.head
  const head = JSON.stringify(entry.head)
  const head_sum = sumOfHead(world, { position, kind, head })
  const body = kind === 'job' ? shortenBody(world, position, entry.body) : entry.body
  const body_sum = crc32(body, head_sum)
  world.run(INSERT, [position, kind, head, head_sum, body_sum, body])
  world.entries.keep(position, entry)
  return body_sum
}

/** Reads an entry. Throws StorageError `damaged` if the row is missing or changed. */
export function readEntry(world: StoredWorld, position: number): Entry {
  return world.entries.get(position) ?? toEntry(world, findRow<Row>(world, position, COLUMNS))
}

/** Reads only the body of an entry, which is faster. Throws like `readEntry`. */
export function readBody(world: StoredWorld, position: number): string {
  return world.entries.get(position)?.body ?? toBody(world, findRow<Row>(world, position, COLUMNS))
}

export function readHead(world: StoredWorld, position: number): Head {
  return world.entries.get(position)?.head ?? toHead(world, findRow(world, position, HEAD_COLUMNS))
}

/** Reads the entries after `position` up to `end`. Throws like `readEntry`. Also throws Error if the world was replaced. */
export function* entriesAfter(world: StoredWorld, position: number, end: number): Iterable<Entry> {
  for (const row of rowsAfter<Row>(world, { position, end }, COLUMNS)) yield toEntry(world, row)
}

/** Throws StorageError `damaged` if an entry is missing or its head was changed. */
export function verifyHeads(world: StoredWorld, position: number, end: number): void {
  for (const row of rowsAfter(world, { position, end }, HEAD_COLUMNS)) verifyHead(world, row)
}

function findRow<Found extends HeadRow>(world: StoredWorld, position: number, columns: string): Found {
  const row = world.get<Found>(`SELECT ${columns} FROM history WHERE world = ? AND position = ?`, [position])
  if (!row) throw damage(world.path, `entry ${position} is missing`)
  return row
}

function* rowsAfter<Found extends HeadRow>(
  world: StoredWorld,
  { position, end }: { readonly position: number; readonly end: number },
  columns: string,
): Iterable<Found> {
  const { number } = world
  for (let from = position; from < end; from += ROWS_AT_ONCE) {
    const most = Math.min(ROWS_AT_ONCE, end - from)
    const found = world.all<Found>(
      `SELECT ${columns} FROM history WHERE world = ? AND position > ? ORDER BY position LIMIT ?`,
      [from, most],
    )
    for (let index = 0; index < most; index++) {
      const row = found[index]
      if (row?.position !== from + index + 1) throw damage(world.path, `entry ${from + index + 1} is missing`)
      yield row
      if (world.number !== number)
        throw new Error('Cannot read the remaining entries: the world was replaced during the read')
    }
  }
}

function verifyHead(world: StoredWorld, row: HeadRow): void {
  if (row.head_sum !== sumOfHead(world, row)) throw damage(world.path, `entry ${row.position} is damaged`)
}

function toHead(world: StoredWorld, row: HeadRow): Head {
  verifyHead(world, row)
  return JSON.parse(row.head)
}

function toEntry(world: StoredWorld, row: Row): Entry {
  return { body: toBody(world, row), head: JSON.parse(row.head) }
}

function toBody(world: StoredWorld, row: Row): string {
  verifyHead(world, row)
  // Checks the type, because a changed bit can turn a text into bytes with the same checksum.
  const isWhole = typeof row.body === 'string' && row.body_sum === crc32(row.body, row.head_sum)
  const body = isWhole ? completeBody(world, row) : undefined
  if (body !== undefined) return body
  const detail = `the body of entry ${row.position} (${row.kind}) is damaged`
  const head: Head = JSON.parse(row.head)
  throw new CorruptBodyError(`Cannot read store "${world.path}": ${detail}`, { head, detail })
}

/** Stands for the changed object in the stored body of a job, which saves a third of the space. JSON has no such character. */
const OBJECT = '\u0001'
/** The maximum number of jobs of a change. In the history, they directly follow the changed object. */
export const MAX_JOBS = 3

function shortenBody(world: StoredWorld, position: number, body: string): string {
  for (let before = position - 1; before >= position - MAX_JOBS; before--) {
    const entry = world.entries.get(before)
    if (entry?.head.kind === 'object') return body.replace(entry.body, OBJECT)
  }
  return body
}

/** Returns undefined if the body contains an object that is damaged. */
function completeBody(world: StoredWorld, { position, kind, body }: Row): string | undefined {
  if (kind !== 'job' || !body.includes(OBJECT)) return body
  const object = readIfWhole(() => readObjectBefore(world, position))
  return object === undefined ? undefined : body.replace(OBJECT, () => object)
}

function readObjectBefore(world: StoredWorld, position: number): string {
  const before = position - 1
  const kept = world.entries.get(before)
  if (kept) return kept.head.kind === 'object' ? kept.body : readObjectBefore(world, before)
  const row = findRow<Row>(world, before, COLUMNS)
  if (row.kind === 'object') return toBody(world, row)
  verifyHead(world, row)
  return readObjectBefore(world, before)
}

/** Returns the checksum of an entry head. The checksum includes the world and the position, so that a moved entry is detected. */
function sumOfHead({ number }: StoredWorld, { position, kind, head }: Omit<HeadRow, 'head_sum'>): number {
  return crc32(head, crc32(`${number} ${position} ${kind}`))
}

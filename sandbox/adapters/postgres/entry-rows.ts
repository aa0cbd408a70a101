import { crc32 } from 'node:zlib'
import type { Entry, Head } from '../../engine/state/entries.ts'
import { CorruptBodyError } from '../../engine/state/log.ts'
import { damage } from './storage-errors.ts'

/** An entry as it is stored. */
export interface EntryRow {
  readonly head_sum: number
  readonly body_sum: number
  readonly head: string
  readonly body: string
}

/** Where a row is from. */
export interface RowPlace {
  readonly world: string
  readonly position: number
}

/** Bound to the position, so that an entry that took the place of another one is noticed. */
export function toRow(position: number, { head, body }: Entry): EntryRow {
  const texts = { head: JSON.stringify(head), body: encodeText(body) }
  return { ...texts, ...computeSums(position, texts) }
}

/** Throws StorageError `damaged` for a row that is not what was written. */
export function toEntry(row: EntryRow, place: RowPlace): Entry {
  const { body_sum } = computeSums(place.position, row)
  const head = toHead(row, place)
  if (body_sum === row.body_sum) return { head, body: decodeText(row.body) }
  const detail = `the body of entry ${place.position} (${head.kind}) is not what was written`
  throw new CorruptBodyError(`Cannot read world "${place.world}" in PostgreSQL: ${detail}`, { head, detail })
}

/** The same of the head alone. */
export function toHead({ head, head_sum }: Pick<EntryRow, 'head' | 'head_sum'>, place: RowPlace): Head {
  if (headSum(place.position, head) !== head_sum)
    throw damage(place.world, `entry ${place.position} is not what was written`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `toRow` writes heads
  return JSON.parse(head) as Head
}

function computeSums(position: number, { head, body }: Pick<EntryRow, 'head' | 'body'>) {
  const head_sum = headSum(position, head)
  return { head_sum, body_sum: signed(crc32(body, head_sum >>> 0)) }
}

function headSum(position: number, head: string): number {
  return signed(crc32(head, position >>> 0))
}

/** As int4 has it. */
export function signed(sum: number): number {
  return sum | 0
}

const MARK = '\u0001'

/** PostgreSQL's text takes no NUL, and UTF-8 no half of a pair: as JSON they are written out. */
function encodeText(text: string): string {
  const isPlain = text.isWellFormed() && !text.includes('\0') && !text.startsWith(MARK)
  return isPlain ? text : MARK + JSON.stringify(text)
}

function decodeText(text: string): string {
  return text.startsWith(MARK) ? String(JSON.parse(text.slice(MARK.length))) : text
}

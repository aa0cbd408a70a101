import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../engine/state/log.ts'
import { readHead, type StoreHead } from './head-file.ts'
import { damage } from './storage-errors.ts'

/** A power of two: sums stay exact in SQLite and in JavaScript. */
const MODULUS = 2 ** 48

export const EMPTY: StoreHead = { length: 0, sum: 0 }

interface Rows {
  readonly count: number
  readonly last: number
  readonly sum: number
}

/** SQLite adds up four million rows in half a second. */
function addUp(database: DatabaseSync, table: string, after: number): Rows {
  const query = `
    SELECT count(*) AS count, coalesce(max(position), 0) AS last, coalesce(sum(body_sum), 0) % ${MODULUS} AS sum
    FROM ${table} WHERE position > ?`
  const row = database.prepare(query).get(after)
  return { count: Number(row?.['count']), last: Number(row?.['last']), sum: Number(row?.['sum']) }
}

/** Returns the head of a table, given the head of its first entries. */
export function extendHead(database: DatabaseSync, { length, sum }: StoreHead, table = 'entries'): StoreHead {
  const added = addUp(database, table, length)
  return { length: length + added.count, sum: (sum + added.sum) % MODULUS }
}

/** Throws StorageError `damaged` if an entry is missing before the last one. */
export function readContents(path: string, database: DatabaseSync): StoreHead {
  const { count, last, sum } = addUp(database, 'entries', 0)
  if (count === last) return { length: last, sum }
  const find = database.prepare('SELECT 1 FROM entries WHERE position = ?')
  let position = 1
  while (find.get(position)) position++
  throw damage(path, `entry ${position} is missing`)
}

/** Describes the entries that were synced and are not in the store any more; undefined if there are none. */
export function findLoss(path: string, contents: StoreHead, database?: DatabaseSync): string | undefined {
  const stated = readHead(path)
  if (!stated || [stated, stated.next].some((head) => head && beginsWith(head, contents, database)))
    return undefined
  const { length } = stated
  return contents.length < length
    ? `${length} entries were written and synced, and ${contents.length} are there`
    : `its first ${length} entries are not the ${length} that were written and synced`
}

function beginsWith(head: StoreHead, contents: StoreHead, database: DatabaseSync | undefined): boolean {
  if (head.length > contents.length) return false
  const whole = database ? extendHead(database, head) : head
  return whole.sum === contents.sum
}

export const LOSS_REMEDY =
  'restore its files from a copy, or start with --accept-loss to continue with what is left, and restore a snapshot then'

export function lossError(path: string, loss: string): StorageError {
  return new StorageError('damaged', `Cannot open store "${path}": ${loss}; ${LOSS_REMEDY}`, { detail: loss })
}

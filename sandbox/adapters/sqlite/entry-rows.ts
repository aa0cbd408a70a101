import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Entry, Head } from '../../engine/state/entries.ts'
import { createCompactHeads, type CompactHeads } from './compact-heads.ts'
import { corruptBody, damage, withStorageErrors } from './storage-errors.ts'
import { readShapes, storeShape } from './stored-shapes.ts'
import { computeSums } from './verify-entries.ts'

export function prepareInsert(database: DatabaseSync, table: string): StatementSync {
  return database.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?)`)
}

/** The table of entries. */
export interface EntryRows {
  readonly length: number
  /**
   * Keeps the entries behind the first `from`, in this table or in one like it, within a transaction; `markWritten` says that it was
   * committed.
   */
  write(entries: readonly Entry[], from: number, insertAside?: StatementSync): void
  markWritten(length: number): void
  /** The same of the shapes alone, where entries were written aside. */
  markShapes(): void
  read(position: number): Entry
  heads(after: number): Iterable<Head>
}

/** Throws StorageError `damaged` for a row that is not what was written. */
export function createEntryRows(path: string, database: DatabaseSync): EntryRows {
  const compact = createCompactHeads(readShapes(path, database))
  const insert = prepareInsert(database, 'entries')
  const insertShape = database.prepare('INSERT INTO shapes VALUES (?, ?, ?)')
  const select = database.prepare('SELECT head_sum, body_sum, head, body FROM entries WHERE position = ?')
  const selectHeads = database.prepare('SELECT head FROM entries WHERE position > ? ORDER BY position')
  const last = database.prepare('SELECT coalesce(max(position), 0) AS last FROM entries').get()
  let length = Number(last?.['last'])

  return {
    get length() {
      return length
    },
    write(entries, from, insertAside) {
      const into = insertAside ?? insert
      for (const [index, { head, body }] of entries.entries()) {
        const position = from + index + 1
        const text = compact.encode(head)
        const { head_sum, body_sum } = computeSums(position, text, body)
        into.run(position, head_sum, body_sum, text, body)
      }
      for (const shape of compact.unstored()) storeShape(insertShape, shape)
    },
    markWritten(written) {
      compact.markStored()
      length = written
    },
    markShapes: () => compact.markStored(),
    read(position) {
      if (position > length || position < 1)
        throw new RangeError(`Cannot read entry ${position}: the log has ${length}`)
      const row = withStorageErrors(path, () => select.get(position))
      if (!row) throw damage(path, `entry ${position} is missing`)
      return toEntry(compact, row, { path, position })
    },
    *heads(after) {
      const rows = selectHeads.iterate(after)
      try {
        for (let position = after + 1; ; position++) {
          const { done, value } = withStorageErrors(path, () => rows.next())
          if (done) return
          yield decodeHead(compact, String(value['head']), { path, position })
        }
      } finally {
        // Who stops before the end would hold on to the database as it is now, and its file would grow.
        rows.return?.()
      }
    },
  }
}

interface Place {
  readonly path: string
  readonly position: number
}

function toEntry(compact: CompactHeads, row: Readonly<Record<string, unknown>>, place: Place): Entry {
  const [head, body] = [String(row['head']), String(row['body'])]
  const { head_sum, body_sum } = computeSums(place.position, head, body)
  if (row['head_sum'] !== head_sum)
    throw damage(place.path, `entry ${place.position} is not what was written`)
  if (row['body_sum'] !== body_sum) throw corruptBody(place, decodeHead(compact, head, place))
  // Most who read an entry want its body only.
  return {
    get head() {
      return decodeHead(compact, head, place)
    },
    body,
  }
}

function decodeHead(compact: CompactHeads, text: string, { path, position }: Place): Head {
  try {
    const head = compact.decode(text)
    if (typeof head !== 'object' || head === null || !Number.isFinite(Reflect.get(head, 'at')))
      throw new TypeError('no head')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `write` writes heads
    return head as Head
  } catch (cause) {
    throw damage(path, `entry ${position} is not valid`, cause)
  }
}

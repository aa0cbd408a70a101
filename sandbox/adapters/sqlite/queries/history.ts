import { crc32 } from 'node:zlib'
import type { Entry, Head } from '../../../engine/state/entries.ts'
import { damage, corruptBody } from '../storage-errors.ts'
import { createRecent } from '../recent.ts'
import type { Sql } from '../sql.ts'

/** The entries of one world, in their order. */
export interface History {
  /** Adds the entry; returns the checksum of its row. */
  add(position: number, entry: Entry): number
  /** Throws RangeError for an unknown position, and StorageError `damaged` for a row that was lost or changed. */
  read(position: number): Entry
  /** Reads the head alone. Throws as `read` does. */
  readHead(position: number): Head
  /** Every entry after the position, to the end. Throws as `read` does. */
  after(position: number, end: number): Iterable<Entry>
  /** Throws StorageError `damaged` if an entry after the position is missing, or its head was changed. */
  verify(position: number, end: number): void
  /** Forgets what was added, after a rollback. */
  forget(): void
}

interface Row {
  readonly position: number
  readonly kind: string
  readonly at: number
  readonly head: string
  readonly body: string
  readonly head_sum: number
  readonly body_sum: number
}

const COLUMNS = 'position, kind, at, head, body, head_sum, body_sum'
const ROWS_AT_ONCE = 256
/** The bodies of what has just changed are read to be sent. */
const MOST_RECENT = 256

/** `path` is the file of the store, for errors. */
export function createHistory(sql: Sql, world: number, path: string): History {
  const { verifyHead, toHead, toEntry } = createRowReader(world, path)
  const insert = sql(`INSERT INTO history (world, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const select = sql<Row>(`SELECT ${COLUMNS} FROM history WHERE world = ? AND position = ?`)
  const selectNext = sql<Row>(
    `SELECT ${COLUMNS} FROM history WHERE world = ? AND position > ? ORDER BY position LIMIT ?`,
  )

  const recent = createRecent<number, Entry>(MOST_RECENT)

  function find(position: number): Row {
    const row = select.get(world, position)
    if (!row) throw damage(path, `entry ${position} is missing`)
    return row
  }

  function* rows(position: number, end: number): Iterable<Row> {
    for (let from = position; from < end; from += ROWS_AT_ONCE) {
      const most = Math.min(ROWS_AT_ONCE, end - from)
      const found = selectNext.all(world, from, most)
      for (let index = 0; index < most; index++) {
        const row = found[index]
        if (row?.position !== from + index + 1) throw damage(path, `entry ${from + index + 1} is missing`)
        yield row
      }
    }
  }

  return {
    add(position, entry) {
      const {
        head: { kind, at, ...rest },
        body,
      } = entry
      const head = JSON.stringify(rest)
      const head_sum = sumOfHead(world, { position, kind, at, head })
      const body_sum = crc32(body, head_sum)
      insert.run(world, position, kind, at, head, body, head_sum, body_sum)
      recent.set(position, entry)
      return body_sum
    },
    read: (position) => recent.get(position) ?? toEntry(find(position)),
    readHead: (position) => recent.get(position)?.head ?? toHead(find(position)),
    forget: recent.clear,
    *after(position, end) {
      for (const row of rows(position, end)) yield toEntry(row)
    },
    verify(position, end) {
      for (const row of rows(position, end)) verifyHead(row)
    },
  }
}

/** Reads rows, and throws StorageError `damaged` for one that was changed. */
function createRowReader(world: number, path: string) {
  function verifyHead(row: Row): void {
    if (row.head_sum !== sumOfHead(world, row))
      throw damage(path, `entry ${row.position} is not what was written`)
  }

  function toHead(row: Row): Head {
    verifyHead(row)
    return { kind: row.kind, at: row.at, ...JSON.parse(row.head) }
  }

  function toEntry(row: Row): Entry {
    const head = toHead(row)
    if (row.body_sum !== crc32(row.body, row.head_sum))
      throw corruptBody({ path, position: row.position }, head)
    return { head, body: row.body }
  }

  return { verifyHead, toHead, toEntry }
}

/** Covers the world and the position, so that an entry in the place of another is noticed. */
function sumOfHead(
  world: number,
  { position, kind, at, head }: Pick<Row, 'position' | 'kind' | 'at' | 'head'>,
): number {
  return crc32(`${world} ${kind} ${at} ${head}`, position)
}

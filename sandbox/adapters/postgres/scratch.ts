import { DatabaseSync } from 'node:sqlite'
import type { Checkpoint } from '../../engine/state/log.ts'
import type { EntryRow } from './entry-rows.ts'

/** Rows by position, in a file without a name that is gone with the process. */
export interface Scratch {
  /** Keeps rows from this position on; those that are there stay. */
  write(from: number, rows: readonly EntryRow[]): void
  read(position: number): EntryRow | undefined
  /** Those that are there of so many positions from this one on, in their order. */
  heads(from: number, count: number): readonly ScratchHead[]
  rows(from: number, count: number): readonly EntryRow[]
  readCheckpoint(): Checkpoint | undefined
  writeCheckpoint(checkpoint: Checkpoint): void
  readonly isClosed: () => boolean
  close(): void
}

export interface ScratchHead extends Pick<EntryRow, 'head' | 'head_sum'> {
  readonly position: number
}

export function createScratch(): Scratch {
  // Of SQLite: a file that it removes as it makes it, and writes to only when its cache is full.
  const database = new DatabaseSync('')
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    CREATE TABLE entries (
      position INTEGER PRIMARY KEY, head_sum INTEGER NOT NULL, body_sum INTEGER NOT NULL, head TEXT NOT NULL, body TEXT NOT NULL
    ) STRICT;
    CREATE TABLE checkpoints (position INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
  `)
  const insert = database.prepare('INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?, ?)')
  const select = database.prepare('SELECT head_sum, body_sum, head, body FROM entries WHERE position = ?')
  const range = 'FROM entries WHERE position >= ? AND position < ? ORDER BY position'
  const selectHeads = database.prepare(`SELECT position, head_sum, head ${range}`)
  const selectRows = database.prepare(`SELECT head_sum, body_sum, head, body ${range}`)
  const selectCheckpoint = database.prepare('SELECT position, bytes FROM checkpoints')
  const insertCheckpoint = database.prepare('INSERT INTO checkpoints VALUES (?, ?)')

  return {
    write(from, rows) {
      database.exec('BEGIN')
      for (const [index, { head_sum, body_sum, head, body }] of rows.entries())
        insert.run(from + index, head_sum, body_sum, head, body)
      database.exec('COMMIT')
    },
    read(position) {
      const row = select.get(position)
      return row && toRow(row)
    },
    heads: (from, count) =>
      selectHeads.all(from, from + count).map(({ position, head, head_sum }) => ({
        position: Number(position),
        head: String(head),
        head_sum: Number(head_sum),
      })),
    rows: (from, count) => selectRows.all(from, from + count).map(toRow),
    readCheckpoint() {
      const row = selectCheckpoint.get()
      const bytes = row?.['bytes']
      return bytes instanceof Uint8Array ? { position: Number(row?.['position']), bytes } : undefined
    },
    writeCheckpoint({ position, bytes }) {
      database.exec('DELETE FROM checkpoints')
      insertCheckpoint.run(position, bytes)
    },
    isClosed: () => !database.isOpen,
    close: () => database.close(),
  }
}

function toRow({ head_sum, body_sum, head, body }: Readonly<Record<string, unknown>>): EntryRow {
  return { head_sum: Number(head_sum), body_sum: Number(body_sum), head: String(head), body: String(body) }
}

import type { DatabaseSync } from 'node:sqlite'
import type { StagedEntries } from '../../engine/state/log.ts'
import { entryTable, transact } from './database.ts'
import { prepareInsert, type EntryRows } from './entry-rows.ts'
import { withStorageErrors } from './storage-errors.ts'

/** Tables of entries beside the one that counts: of those that are to take its place, and of those that gave theirs up. */
export interface EntriesAside {
  stage(): StagedEntries
  /** Erases nothing more. */
  stop(): void
}

interface EntriesAsidePorts {
  readonly database: DatabaseSync
  readonly rows: Pick<EntryRows, 'write' | 'markWritten' | 'markShapes'>
  /** Called when others are the entries of the log. */
  readonly onPublished: () => void
}

export function createEntriesAside(
  path: string,
  { database, rows, onPublished }: EntriesAsidePorts,
): EntriesAside {
  const eraser = createEraser(database)
  let tables = 0

  function stage(): StagedEntries {
    const table = `aside_${++tables}`
    const insert = withStorageErrors(path, () => {
      database.exec(entryTable(table))
      return prepareInsert(database, table)
    })
    let length = 0
    return {
      add(entries) {
        withStorageErrors(path, () => transact(database, () => rows.write(entries, length, insert)))
        length += entries.length
        rows.markShapes()
      },
      publish() {
        const old = `aside_${++tables}`
        withStorageErrors(path, () =>
          transact(database, () => {
            database.exec(`
              ALTER TABLE entries RENAME TO ${old};
              ALTER TABLE ${table} RENAME TO entries;
              DELETE FROM checkpoints;
            `)
          }),
        )
        rows.markWritten(length)
        onPublished()
        eraser.erase(old)
      },
      discard: () => eraser.erase(table),
    }
  }

  return { stage, stop: eraser.stop }
}

/** Few enough that nobody waits for them. */
const ROWS_AT_ONCE = 64

/** Empties tables beside the work at hand: to drop a large one at once would take a second. */
function createEraser(database: DatabaseSync) {
  let waiting: string[] = []
  let next: NodeJS.Immediate | undefined

  function eraseSome(): void {
    next = undefined
    const [table] = waiting
    if (table === undefined) return
    try {
      const erase = `DELETE FROM ${table} WHERE position IN (SELECT position FROM ${table} LIMIT ${ROWS_AT_ONCE})`
      if (database.prepare(erase).run().changes === 0) {
        database.exec(`DROP TABLE ${table}`)
        waiting.shift()
      }
    } catch {
      // The disk is full, for one: the next start drops it.
      waiting.shift()
    }
    eraseSoon()
  }

  function eraseSoon(): void {
    if (waiting.length > 0) next ??= setImmediate(eraseSome).unref()
  }

  return {
    erase(table: string): void {
      waiting.push(table)
      eraseSoon()
    },
    stop(): void {
      if (next) clearImmediate(next)
      waiting = []
    },
  }
}

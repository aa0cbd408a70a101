import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'
import type { Entry } from '../../engine/state/entries.ts'
import { recurs, type StagedEntries } from '../../engine/state/log.ts'
import { entryTable, transact } from './database.ts'
import type { StoreHead } from './head-file.ts'
import { prepareInsert, type EntryRows } from './entry-rows.ts'
import { toStorageError, withStorageErrors } from './storage-errors.ts'
import { EMPTY, extendHead } from './store-loss.ts'

/** Tables of entries beside the one that counts: of those that are to take its place, and of those that gave theirs up. */
export interface EntriesAside {
  stage(): StagedEntries
  /** Throws StorageError if the disk has failed as entries were erased. */
  check(): void
  /** Erases nothing more. */
  stop(): void
}

interface EntriesAsidePorts {
  readonly database: DatabaseSync
  readonly rows: Pick<EntryRows, 'write' | 'markWritten' | 'markShapes'>
  /** Called with about how many characters were written. */
  readonly onWritten: (characters: number) => void
  /** Called before others become the entries of the log. */
  readonly onPublish: (next: StoreHead) => void
  /** Called when others are the entries of the log. */
  readonly onPublished: (present: StoreHead) => void
}

export function createEntriesAside(
  path: string,
  { database, rows, onWritten, onPublish, onPublished }: EntriesAsidePorts,
): EntriesAside {
  const eraser = createEraser(path, database, onWritten)
  let tables = 0

  function stage(): StagedEntries {
    eraser.check()
    const table = `aside_${++tables}`
    const insert = withStorageErrors(path, () => {
      database.exec(entryTable(table))
      return prepareInsert(database, table)
    })
    let head = EMPTY
    return {
      add(entries) {
        withStorageErrors(path, () => transact(database, () => rows.write(entries, head.length, insert)))
        head = extendHead(database, head, table)
        rows.markShapes()
        onWritten(STAGED_WEIGHT * countCharacters(entries))
      },
      publish() {
        const old = `aside_${++tables}`
        withStorageErrors(path, () => {
          onPublish(head)
          transact(database, () => {
            database.exec(`
              ALTER TABLE entries RENAME TO ${old};
              ALTER TABLE ${table} RENAME TO entries;
              DELETE FROM checkpoints;
            `)
          })
        })
        rows.markWritten(head.length)
        onPublished(head)
        eraser.erase(old)
      },
      discard: () => eraser.erase(table),
    }
  }

  return { stage, check: eraser.check, stop: eraser.stop }
}

export function countCharacters(entries: readonly Entry[]): number {
  return entries.reduce((sum, { body }) => sum + body.length, 0)
}

/** A whole world is moved to the database in smaller parts than what comes one by one: everybody waits for each. */
const STAGED_WEIGHT = 8

/** Few enough that nobody waits for them. */
const ROWS_AT_ONCE = 64
/** About as many as most have. */
const CHARACTERS_OF_A_ROW = 1_000

/** Empties tables beside the work at hand: to drop a large one at once would take a second. */
function createEraser(path: string, database: DatabaseSync, onWritten: EntriesAsidePorts['onWritten']) {
  let waiting: string[] = []
  let failure: unknown
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
      onWritten(ROWS_AT_ONCE * CHARACTERS_OF_A_ROW)
    } catch (cause) {
      // The disk is full, for one: the next start drops it.
      waiting.shift()
      const error = toStorageError(path, cause)
      if (!recurs(error)) failure ??= error
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
    /** Throws what an erasure failed with: nobody waits for one, so the next write reports it. */
    check(): void {
      if (failure !== undefined) throw failure
    },
    stop(): void {
      if (next) clearImmediate(next)
      waiting = []
    },
  }
}

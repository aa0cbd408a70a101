import { existsSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Head } from '../../engine/state/entries.ts'
import { applyEntry } from '../../engine/state/entry-kinds.ts'
import { createIndexData } from '../../engine/state/index-data.ts'
import { createIndexes } from '../../engine/state/indexes.ts'
import { CorruptBodyError, StorageError } from '../../engine/state/log.ts'
import { refuseSecondEnabled } from '../../engine/state/second-enabled.ts'
import { refuseForeign, withUntouched } from './database.ts'
import { createEntryRows, type EntryRows } from './entry-rows.ts'
import { toStorageError, withStorageErrors } from './storage-errors.ts'
import { EMPTY, extendHead, findLoss } from './store-loss.ts'

/** What became of a store. */
export interface VerifiedStore {
  readonly entries: number
  /** What is not as it was written, each in a sentence: where, and what. */
  readonly problems: readonly string[]
  /** The entries that were synced and are gone, in a sentence. */
  readonly loss: string | undefined
}

/**
 * Reads everything that a store holds, heads and bodies, and leaves it as it is. Throws StorageError `unusable` if a sandbox or
 * another program has it.
 */
export function verifyStore(path: string): VerifiedStore {
  const problems: string[] = []
  try {
    const isThere = existsSync(path) && statSync(path).size > 0
    const found = isThere
      ? withStorageErrors(path, () => withUntouched(path, (database) => verify(path, database, problems)))
      : { entries: 0, loss: findLoss(path, EMPTY) }
    return { ...found, problems }
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'damaged') throw error
    return { entries: 0, problems: [...problems, sentence(error)], loss: undefined }
  }
}

/** Adds to the problems. */
function verify(path: string, database: DatabaseSync, problems: string[]): Omit<VerifiedStore, 'problems'> {
  refuseForeign(path, database)
  for (const { integrity_check: found } of database.prepare('PRAGMA integrity_check').all())
    if (found !== 'ok') problems.push(`SQLite: ${String(found)}`)
  if (database.prepare('PRAGMA user_version').get()?.['user_version'] === 0)
    return { entries: 0, loss: findLoss(path, EMPTY) }
  const rows = createEntryRows(path, database)
  verifyRows(path, rows, problems)
  return { entries: rows.length, loss: findLoss(path, extendHead(database, EMPTY), database) }
}

/** Each by itself, and what follows from all before it. */
function verifyRows(path: string, rows: EntryRows, problems: string[]): void {
  const indexes = createIndexes(createIndexData(), 0)
  for (let position = 1; position <= rows.length; position++) {
    try {
      const head = readHead(rows, position, (error) => problems.push(sentence(error)))
      refuseSecondEnabled(indexes, head)
      applyEntry(indexes, head, position)
    } catch (cause) {
      const error = toStorageError(path, cause)
      problems.push(error instanceof StorageError ? sentence(error) : `Entry ${position}: ${String(error)}`)
    }
  }
}

/** The head, also where the body is not what was written: what comes later builds on it. */
function readHead(rows: EntryRows, position: number, onCorruptBody: (error: StorageError) => void): Head {
  try {
    return rows.read(position).head
  } catch (error) {
    if (!(error instanceof CorruptBodyError)) throw error
    onCorruptBody(error)
    return error.head
  }
}

function sentence({ detail }: StorageError): string {
  return detail.charAt(0).toUpperCase() + detail.slice(1)
}

import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../engine/state/entries.ts'
import { CorruptBodyError, StorageError } from '../../engine/state/storage-error.ts'
import {
  defineSchema,
  isEmptyDatabase,
  MEMORY,
  refuseEarlier,
  refuseForeign,
  withUntouched,
} from './database.ts'
import { createHistory, type History } from './queries/history.ts'
import { createWorldRows, WORLD_TABLES } from './queries/world-rows.ts'
import { createWorlds } from './queries/worlds.ts'
import { createSql, type Sql } from './sql.ts'
import { toStorageError, withStorageErrors } from './storage-errors.ts'
import { findLoss, findWrongCounts, inWorld } from './store-loss.ts'
import { createWorldTables, type WorldTables } from './world-tables.ts'

/** The state of a store. */
export interface VerifiedStore {
  readonly entries: number
  /** Each is a sentence: what is not as it was written, and where. */
  readonly problems: readonly string[]
  /** The entries that were synced and are gone, in a sentence. */
  readonly loss: string | undefined
}

/**
 * Reads every row of a store, and leaves the file as it is. Throws StorageError `unusable` if a sandbox or another program has it.
 */
export function verifyStore(path: string): VerifiedStore {
  const problems: string[] = []
  try {
    const isThere = existsSync(path) && statSync(path).size > 0
    const found = isThere
      ? withStorageErrors(path, () => withUntouched(path, (database) => verify(path, database, problems)))
      : { entries: 0, loss: findLoss(path, undefined) }
    return { ...found, problems }
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'damaged') throw error
    return { entries: 0, problems: [...problems, toSentence(error.detail)], loss: undefined }
  }
}

/** Adds to the problems. */
function verify(path: string, database: DatabaseSync, problems: string[]): Omit<VerifiedStore, 'problems'> {
  refuseForeign(path, database)
  for (const { integrity_check: found } of database.prepare('PRAGMA integrity_check').all())
    if (found !== 'ok') problems.push(`SQLite: ${String(found)}`)
  if (isEmptyDatabase(database)) return { entries: 0, loss: findLoss(path, undefined) }
  refuseEarlier(path, database)
  const found = [...findWrongCounts(database), ...findStrayRows(database)]
  const entries = createWorlds(createSql(database))
    .list()
    .map(({ name, number }) => {
      const world = verifyWorld({ path, database, number })
      found.push(...world.problems.map((problem) => inWorld(name, problem)))
      return world.length
    })
  problems.push(...found.map(toSentence))
  return { entries: entries.reduce((sum, length) => sum + length, 0), loss: findLoss(path, database) }
}

/** Describes the tables with rows of a world that the store does not have. */
function* findStrayRows(database: DatabaseSync): Iterable<string> {
  const { countStrays } = createWorldRows(createSql(database))
  for (const table of WORLD_TABLES) {
    const count = countStrays(table)
    if (count > 0) yield `${count} rows of ${table} are of no world`
  }
}

interface StoredWorld {
  readonly path: string
  readonly database: DatabaseSync
  readonly number: number
}

interface VerifiedWorld {
  readonly length: number
  readonly problems: readonly string[]
}

/** Plays the history again in memory, and compares all tables. */
function verifyWorld({ path, database, number }: StoredWorld): VerifiedWorld {
  const sql = createSql(database)
  const history = createHistory(sql, number, path)
  const state = createWorlds(sql).state(number)
  const length = state?.length ?? 0
  const problems: string[] = []
  const replayed = new DatabaseSync(MEMORY)
  try {
    defineSchema(replayed)
    const tables = openReplayed(replayed, path)
    for (let position = 1; position <= length; position++) {
      try {
        tables.add(readEntry(history, position, ({ detail }) => problems.push(detail)))
      } catch (cause) {
        const error = toStorageError(path, cause)
        problems.push(error instanceof StorageError ? error.detail : `entry ${position}: ${String(error)}`)
        return { length, problems }
      }
    }
    if (!isDeepStrictEqual({ ...state }, { ...tables.state }))
      problems.push('its state is not what was written')
    tables.save()
    const sides = { stored: { sql, number }, replayed: { sql: createSql(replayed), number: tables.number } }
    for (const table of WORLD_TABLES) if (table !== 'history') compareTable(table, sides, problems)
  } finally {
    replayed.close()
  }
  return { length, problems }
}

function openReplayed(database: DatabaseSync, path: string): WorldTables {
  const sql = createSql(database)
  return createWorldTables(sql, createWorlds(sql).addState(), path)
}

/** A corrupt body is a problem of its own: later entries build on the head. */
function readEntry(history: History, position: number, onCorruptBody: (error: StorageError) => void): Entry {
  try {
    return history.read(position)
  } catch (error) {
    if (!(error instanceof CorruptBodyError)) throw error
    onCorruptBody(error)
    return { head: error.head, body: '' }
  }
}

interface Side {
  readonly sql: Sql
  readonly number: number
}

function compareTable(
  table: string,
  { stored, replayed }: { readonly stored: Side; readonly replayed: Side },
  problems: string[],
): void {
  const rowsOf = ({ sql, number }: Side) => createWorldRows(sql).list(table, number)
  const expected = new Set(rowsOf(replayed))
  for (const row of rowsOf(stored)) {
    if (!expected.delete(row))
      problems.push(`a row of ${table} is not what was written: ${row.slice(0, 200)}`)
  }
  for (const row of expected) problems.push(`a row of ${table} is missing: ${row.slice(0, 200)}`)
}

function toSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

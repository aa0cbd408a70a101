import type { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { Entry } from '../../engine/state/entries.ts'
import { CorruptBodyError, StorageError } from '../../engine/state/storage-error.ts'
import { FORMAT, readFormat, withUntouched } from './database.ts'
import { findWrongCounts, inWorld } from './queries/consistency.ts'
import { readEntry } from './queries/history.ts'
import { countStrayRows, listRows, WORLD_TABLES } from './queries/world-rows.ts'
import { createWorlds } from './queries/worlds.ts'
import { createReplay } from './replay.ts'
import { createSql, type Sql } from './sql.ts'
import { toStorageError, withStorageErrors } from './storage-errors.ts'
import { findLoss } from './store-loss.ts'
import { addEntry } from './world-entries.ts'
import { openWorld, type World } from './queries/world.ts'

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
    const found = withStorageErrors(path, () =>
      withUntouched(path, (database) => verify(path, database, problems)),
    )
    return { ...(found ?? { entries: 0, loss: findLoss(path, undefined) }), problems }
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind !== 'damaged') throw error
    return { entries: 0, problems: [...problems, toSentence(error.detail)], loss: undefined }
  }
}

/** Adds to the problems. */
function verify(path: string, database: DatabaseSync, problems: string[]): Omit<VerifiedStore, 'problems'> {
  const format = readFormat(path, database)
  for (const { integrity_check: found } of database.prepare('PRAGMA integrity_check').all())
    if (found !== 'ok') problems.push(`SQLite: ${String(found)}`)
  if (format === 0) return { entries: 0, loss: findLoss(path, undefined) }
  if (format < FORMAT)
    throw new StorageError(
      'unusable',
      `Cannot verify store "${path}": an earlier version wrote it; start it once with "npx hookbench up"`,
    )
  const sql = createSql(database)
  const worlds = createWorlds(sql)
  const found = [...findWrongCounts(sql), ...findStrayRows(sql)]
  let entries = 0
  for (const { name, number } of worlds.list().filter((world) => worlds.hasState(world.number))) {
    const world = openWorld(sql, number, path)
    entries += world.state.length
    found.push(...findProblems(sql, world).map((problem) => inWorld(name, problem)))
  }
  problems.push(...found.map(toSentence))
  return { entries, loss: findLoss(path, database) }
}

/** Describes the tables with rows of a world that the store does not have. */
function* findStrayRows(sql: Sql): Iterable<string> {
  for (const table of WORLD_TABLES) {
    const count = countStrayRows(sql, table)
    if (count > 0) yield `${count} rows of ${table} are of no world`
  }
}

/** Plays the history again in memory, and compares all tables. */
function findProblems(sql: Sql, stored: World): readonly string[] {
  const { path, number, state } = stored
  const problems: string[] = []
  const replay = createReplay(path)
  try {
    for (let position = 1; position <= state.length; position++) {
      try {
        addEntry(
          replay.world,
          readForReplay(stored, position, ({ detail }) => problems.push(detail)),
        )
      } catch (cause) {
        const error = toStorageError(path, cause)
        return [
          ...problems,
          error instanceof StorageError ? error.detail : `entry ${position}: ${String(error)}`,
        ]
      }
    }
    replay.world.writeRest()
    if (!isDeepStrictEqual(state, replay.world.state)) problems.push('its state is not what was written')
    for (const table of WORLD_TABLES.filter((name) => name !== 'history')) {
      const expected = new Set(listRows(replay.sql, table, replay.world.number))
      for (const row of listRows(sql, table, number))
        if (!expected.delete(row))
          problems.push(`a row of ${table} is not what was written: ${row.slice(0, 200)}`)
      for (const row of expected) problems.push(`a row of ${table} is missing: ${row.slice(0, 200)}`)
    }
    return problems
  } finally {
    replay.database.close()
  }
}

/** A corrupt body is a problem of its own: later entries build on the head. */
function readForReplay(world: World, position: number, onCorruptBody: (error: StorageError) => void): Entry {
  try {
    return readEntry(world, position)
  } catch (error) {
    if (!(error instanceof CorruptBodyError)) throw error
    onCorruptBody(error)
    return { head: error.head, body: '' }
  }
}

function toSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

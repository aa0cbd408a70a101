import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../engine/state/storage-error.ts'
import { DEFAULT_WORLD } from '../../engine/state/world-directory.ts'
import { readHead, type StoreHead } from './head-file.ts'
import { createHistory } from './queries/history.ts'
import { createWorlds } from './queries/worlds.ts'
import { createSql, type Sql } from './sql.ts'
import { damage } from './storage-errors.ts'

/** A store keeps its states over so many entries, for a head file that is older than the store. */
export const KEPT_STATES = 65_536

const EMPTY: StoreHead = { length: 0, sum: 0 }

/** The newest state of a store. */
export function readStoreHead(database: DatabaseSync): StoreHead {
  const select = createSql(database)<StoreHead>('SELECT length, sum FROM heads ORDER BY length DESC LIMIT 1')
  return select.get() ?? EMPTY
}

/** Describes the entries that were synced and are not in the store any more; undefined if there are none. */
export function findLoss(path: string, database: DatabaseSync | undefined): string | undefined {
  const stated = readHead(path)
  if (!stated) return undefined
  const { length } = database ? readStoreHead(database) : EMPTY
  if (length < stated.length)
    return `${stated.length} entries were written and synced, and ${length} are there`
  return database && !hasState(database, stated)
    ? `its first ${stated.length} entries are not the ${stated.length} that were written and synced`
    : undefined
}

/** True if the store was in this state, or if that is too long ago to tell. */
function hasState(database: DatabaseSync, { length, sum }: StoreHead): boolean {
  if (length === 0 || length < readStoreHead(database).length - KEPT_STATES) return true
  const select = createSql(database)<{ sum: number }>('SELECT sum FROM heads WHERE length = ?')
  return select.get(length)?.sum === sum
}

export const LOSS_REMEDY =
  'restore its files from a copy, or start with --accept-loss to continue with what is left, and restore a snapshot then'

export function lossError(path: string, loss: string): StorageError {
  return new StorageError('damaged', `Cannot open store "${path}": ${loss}; ${LOSS_REMEDY}`, { detail: loss })
}

/** The start reads so many in some tens of milliseconds. Older entries are verified when they are read. */
const NEWEST = 20_000

/**
 * Throws StorageError `damaged` if a world or its last entry is missing, if the store has other numbers of entries or jobs than it
 * states, or if one of the newest entries of a world is missing or changed.
 */
export function verifyStart(path: string, database: DatabaseSync): void {
  for (const problem of findWrongCounts(database)) throw damage(path, problem)
  const sql = createSql(database)
  const worlds = createWorlds(sql)
  for (const { number } of worlds.list()) {
    const length = worlds.state(number)?.length ?? 0
    createHistory(sql, number, path).verify(Math.max(0, length - NEWEST), length)
  }
}

/** Describes each world whose rows are missing or changed, and each number of rows that is not as stated. */
export function* findWrongCounts(database: DatabaseSync): Iterable<string> {
  const sql = createSql(database)
  const worlds = createWorlds(sql)
  for (const name of worlds.changed()) yield `the row of world "${name}" is not what was written`
  for (const number of worlds.inconsistent())
    yield `the world with the number ${number} is missing, or its state is not what was written`
  for (const number of findStrays(sql)) yield `the state of the world with the number ${number} is missing`
  for (const { name, number } of worlds.list())
    for (const problem of findWrongCountsOf(sql, number)) yield inWorld(name, problem)
  const total = sql<{ length: number }>('SELECT coalesce(sum(length), 0) AS length FROM states').get()
  const { length } = readStoreHead(database)
  if (total && total.length > length) yield `its worlds have ${total.length} entries, and it states ${length}`
}

function* findWrongCountsOf(sql: Sql, number: number): Iterable<string> {
  const state = createWorlds(sql).state(number)
  if (!state) {
    yield 'its state is missing'
    return
  }
  const { length, webhook_jobs, callback_jobs } = state
  const last = sql<{ last: number }>(
    'SELECT coalesce(max(position), 0) AS last FROM history WHERE world = ?',
  ).get(number)
  if (last?.last !== length) yield `it has ${last?.last} entries of ${length}`
  const jobs = sql<{ count: number }>(
    'SELECT coalesce(max(ordinal) + 1, 0) AS count FROM jobs WHERE world = ?',
  ).get(number)
  if (jobs?.count !== webhook_jobs + callback_jobs) yield 'a job is missing'
}

/** The numbers with entries that no state has. */
function* findStrays(sql: Sql): Iterable<number> {
  const selectNext = sql<{ world: number | null }>('SELECT min(world) AS world FROM history WHERE world > ?')
  const { state } = createWorlds(sql)
  let number = selectNext.get(0)?.world
  while (typeof number === 'number') {
    if (!state(number)) yield number
    number = selectNext.get(number)?.world
  }
}

/** Names the world of a problem, unless it is the default one. */
export function inWorld(name: string, problem: string): string {
  return name === DEFAULT_WORLD ? problem : `world "${name}": ${problem}`
}

import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../engine/state/storage-error.ts'
import { DEFAULT_WORLD } from '../../engine/state/world-directory.ts'
import { readHead } from './head-file.ts'
import { hasHead, newestHead } from './queries/heads.ts'
import { verifyHeads } from './queries/history.ts'
import { createWorlds, type Worlds } from './queries/worlds.ts'
import { createSql } from './sql.ts'
import { damage } from './storage-errors.ts'
import { openWorld } from './queries/world.ts'

/** Describes the entries that were synced and are not in the store any more; undefined if there are none. */
export function findLoss(path: string, database: DatabaseSync | undefined): string | undefined {
  const stated = readHead(path)
  if (!stated) return undefined
  const sql = database && createSql(database)
  const length = sql ? newestHead(sql).length : 0
  if (length < stated.length)
    return `${stated.length} entries were written and synced, and ${length} are there`
  return sql && !hasHead(sql, stated)
    ? `its first ${stated.length} entries are not the ${stated.length} that were written and synced`
    : undefined
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
  for (const { number } of createWorlds(sql).list()) {
    const world = openWorld(sql, number, path)
    const { length } = world.state
    verifyHeads(world, Math.max(0, length - NEWEST), length)
  }
}

/** Describes each world whose rows are missing or changed, and each number of rows that is not as stated. */
export function* findWrongCounts(database: DatabaseSync): Iterable<string> {
  const sql = createSql(database)
  const worlds = createWorlds(sql)
  for (const name of worlds.changed()) yield `the row of world "${name}" is not what was written`
  for (const number of worlds.inconsistent())
    yield `the world with the number ${number} is missing, or its state is not what was written`
  for (const number of worlds.withoutState())
    yield `the state of the world with the number ${number} is missing`
  for (const { name, number } of worlds.list())
    for (const problem of findWrongCountsOf(worlds, number)) yield inWorld(name, problem)
  const [total, { length }] = [worlds.totalLength(), newestHead(sql)]
  if (total > length) yield `its worlds have ${total} entries, and it states ${length}`
}

function* findWrongCountsOf(worlds: Worlds, number: number): Iterable<string> {
  if (!worlds.hasState(number)) return yield 'its state is missing'
  const state = worlds.state(number)
  const { entries, jobs } = worlds.counts(number)
  if (entries !== state.length) yield `it has ${entries} entries of ${state.length}`
  if (jobs !== state.webhook_jobs + state.callback_jobs) yield 'a job is missing'
}

/** Names the world of a problem, unless it is the default one. */
export function inWorld(name: string, problem: string): string {
  return name === DEFAULT_WORLD ? problem : `world "${name}": ${problem}`
}

import type { DatabaseSync } from 'node:sqlite'
import { StorageError } from '../../engine/state/storage-error.ts'
import { readHead } from './head-file.ts'
import { findWrongCounts } from './queries/consistency.ts'
import { hasHead, newestHead } from './queries/heads.ts'
import { verifyHeads } from './queries/history.ts'
import { createWorlds } from './queries/worlds.ts'
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
  const sql = createSql(database)
  for (const problem of findWrongCounts(sql)) throw damage(path, problem)
  for (const { number } of createWorlds(sql).list()) {
    const world = openWorld(sql, number, path)
    const { length } = world.state
    verifyHeads(world, Math.max(0, length - NEWEST), length)
  }
}

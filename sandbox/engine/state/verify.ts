import { isDeepStrictEqual } from 'node:util'
import type { Entry } from './entries.ts'
import { createReplay } from './replay.ts'
import { findWrongCounts, inWorld, missingWorld } from './queries/consistency.ts'
import { readEntry, verifyHeads } from './queries/history.ts'
import { openStoredWorld, type StoredWorld } from './queries/world.ts'
import { listRows, listStrayWorlds, listWorldTables } from './queries/world-rows.ts'
import { createWorlds } from './queries/worlds.ts'
import type { Sql } from './sql.ts'
import { CorruptBodyError, damage, StorageError } from './storage-error.ts'
import { addEntry } from './view.ts'

/** The number of newest entries to verify at each start (about 10 ms). Older entries are verified when read. */
const NEWEST = 4_000

/** Throws StorageError `damaged` for a missing world or last entry, wrong counts, or a damaged recent entry. */
export function verifyStart(sql: Sql, path: string): void {
  for (const problem of findWrongCounts(sql)) throw damage(path, problem)
  for (const { number } of createWorlds(sql).named()) {
    const world = openStoredWorld(sql, number, path)
    const { length } = world.state
    verifyHeads(world, Math.max(0, length - NEWEST), length)
  }
}

/** Verifies all rows of all worlds. Returns the number of entries, and a description of each changed row. */
export function verifyTables(
  sql: Sql,
  path: string,
): { readonly entries: number; readonly problems: Iterable<string> } {
  const strays = listWorldTables(sql).flatMap((table) => listStrayWorlds(sql, table))
  const problems = new Set([...findWrongCounts(sql), ...strays.map(missingWorld)])
  let entries = 0
  const worlds = createWorlds(sql)
  const damaged = new Set(worlds.damaged())
  for (const { name, number } of worlds.named()) {
    if (damaged.has(number)) continue
    const world = openStoredWorld(sql, number, path)
    entries += world.state.length
    for (const problem of findProblems(sql, world)) problems.add(inWorld(name, problem))
  }
  return { entries, problems }
}

/** Replays the history of a world in memory, and compares the result with the stored tables. */
function findProblems(sql: Sql, stored: StoredWorld): readonly string[] {
  const { path, number, state } = stored
  const problems: string[] = []
  const replay = createReplay(path)
  try {
    for (let position = 1; position <= state.length; position++)
      addEntry(
        replay.world,
        readForReplay(stored, position, ({ detail }) => problems.push(detail)),
      )
    replay.world.writeRest()
    if (!isDeepStrictEqual(state, replay.world.state)) problems.push('its state is damaged')
    for (const table of listWorldTables(replay.sql).filter((name) => name !== 'history')) {
      const expected = new Set(listRows(replay.sql, table, replay.world.number))
      for (const row of listRows(sql, table, number))
        if (!expected.delete(row)) problems.push(`a row of ${table} is damaged: ${row.slice(0, 200)}`)
      for (const row of expected) problems.push(`a row of ${table} is missing: ${row.slice(0, 200)}`)
    }
    return problems
  } catch (error) {
    // Stops at a missing entry, because later entries depend on it.
    return [...problems, describe(replay.world, error)]
  } finally {
    replay.database.close()
  }
}

function describe({ state }: StoredWorld, error: unknown): string {
  return error instanceof StorageError ? error.detail : `entry ${state.length}: ${String(error)}`
}

/**
 * Reads an entry. If the body of the entry is damaged, reports the error and returns only the head. A replay needs only the head.
 */
function readForReplay(
  world: StoredWorld,
  position: number,
  onCorruptBody: (error: StorageError) => void,
): Entry {
  try {
    return readEntry(world, position)
  } catch (error) {
    if (!(error instanceof CorruptBodyError)) throw error
    onCorruptBody(error)
    return { head: error.head, body: '' }
  }
}

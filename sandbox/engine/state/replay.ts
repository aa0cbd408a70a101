import { DatabaseSync } from 'node:sqlite'
import { migrate } from './schema.ts'
import { createSql } from './sql.ts'
import { openWorld } from './queries/world.ts'
import { createWorlds } from './queries/worlds.ts'

/**
 * Opens an empty world in memory for the entries of another one. `path` is the other one's file, for errors.
 */
export function createReplay(path: string) {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = createSql(database)
  return { database, sql, world: openWorld(sql, createWorlds(sql).addDraft(), path) }
}

import { DatabaseSync } from 'node:sqlite'
import { migrate } from './schema.ts'
import { createSql } from './sql.ts'
import { openWorld } from './queries/world.ts'
import { createWorlds } from './queries/worlds.ts'

/** An empty world in memory, to add the entries of another one to. `path` is the file of the other one, for errors. */
export function createReplay(path: string) {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = createSql(database)
  return { database, sql, world: openWorld(sql, createWorlds(sql).addDraft(), path) }
}

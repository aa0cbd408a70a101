import { DatabaseSync } from 'node:sqlite'
import { migrate } from './schema.ts'
import { createSql } from './sql.ts'
import { openStoredWorld } from './queries/world.ts'
import { createWorlds } from './queries/worlds.ts'

export function createReplay(path: string) {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  const sql = createSql(database)
  return { database, sql, world: openStoredWorld(sql, createWorlds(sql).addDraft(), path) }
}

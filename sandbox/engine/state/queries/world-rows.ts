import type { Sql } from '../sql.ts'

const ROWS_AT_ONCE = 128

export function listWorldTables(sql: Sql): readonly string[] {
  const tables = sql.all<{ readonly name: string }>(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('worlds', 'heads')`,
  )
  return tables.map(({ name }) => name)
}

/** Removes a batch of rows of a world. Returns false if the world has no rows left. */
export function removeSomeRows(sql: Sql, world: number): boolean {
  return listWorldTables(sql).some((table) => {
    const columns = sql.all<{ readonly name: string }>(
      'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk',
      [table],
    )
    const key = columns.map(({ name }) => name).join(', ')
    const some = `SELECT ${key} FROM ${table} WHERE world = ? LIMIT ${ROWS_AT_ONCE}`
    return sql.run(`DELETE FROM ${table} WHERE (${key}) IN (${some})`, [world]) > 0
  })
}

export function* listRows(sql: Sql, table: string, world: number): Iterable<string> {
  const rows = sql.iterate<{ readonly world: number }>(`SELECT * FROM ${table} WHERE world = ?`, [world])
  for (const { world: _, ...row } of rows) yield JSON.stringify(row)
}

/** Lists the worlds that have rows in a table, but no row of their own. Skips from world to world, instead of reading all rows. */
export function listStrayWorlds(sql: Sql, table: string): readonly number[] {
  const text = `
    WITH RECURSIVE present (world) AS (
      SELECT min(world) FROM ${table}
      UNION ALL SELECT (SELECT min(world) FROM ${table} WHERE world > present.world) FROM present WHERE world NOT NULL
    )
    SELECT world FROM present WHERE world NOT NULL AND world NOT IN (SELECT number FROM worlds)`
  return sql.all<{ readonly world: number }>(text).map(({ world }) => world)
}

import type { Sql } from '../sql.ts'

/** How many rows of a table are removed at once. */
const ROWS_AT_ONCE = 128

/** The tables with a world, and their keys. */
const KEYS = {
  history: 'world, position',
  revisions: 'world, type, id, position',
  attempts: 'world, job, place',
  jobs: 'world, ordinal',
  objects: 'world, type, id',
  aliases: 'world, type, alias',
  account_owners: 'world, account',
  payment_objects: 'world, type, id, payment',
  payments: 'world, ordinal',
  job_counts: 'world, registration_id, generation, object_type, status, block',
  registrations: 'world, id',
  next_outcomes: 'world, payment_kind',
  secrets: 'world, position',
  readings: 'world, reading',
  faults: 'world, id',
  matched_faults: 'world, job_id',
  crafted: 'world, ordinal',
} as const

export const WORLD_TABLES = Object.keys(KEYS)

/** Removes some rows of a world. Returns false if there were none. */
export function removeSomeRows(sql: Sql, world: number): boolean {
  return Object.entries(KEYS).some(([table, key]) => {
    const some = `SELECT ${key} FROM ${table} WHERE world = ? LIMIT ${ROWS_AT_ONCE}`
    return sql.run(`DELETE FROM ${table} WHERE (${key}) IN (${some})`, [world]) > 0
  })
}

/** The rows of a world in a table, as JSON without the number of the world. */
export function* listRows(sql: Sql, table: string, world: number): Iterable<string> {
  const rows = sql.iterate<{ readonly world: number }>(`SELECT * FROM ${table} WHERE world = ?`, [world])
  for (const { world: _, ...row } of rows) yield JSON.stringify(row)
}

/** The number of rows in a table whose world has no state. */
export function countStrayRows(sql: Sql, table: string): number {
  const text = `SELECT count(*) AS count FROM ${table} WHERE world NOT IN (SELECT world FROM states)`
  return sql.get<{ count: number }>(text)?.count ?? 0
}

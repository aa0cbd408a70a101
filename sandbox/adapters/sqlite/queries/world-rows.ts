import type { Sql } from '../sql.ts'

/** The rows of worlds in every table with a world. */
export interface WorldRows {
  /** Removes some rows of a world. Returns false if there were none. */
  removeSome(world: number): boolean
  /** The rows of a world in a table, as JSON without the number of the world. */
  list(table: string, world: number): Iterable<string>
  /** The number of rows in a table whose world has no state. */
  countStrays(table: string): number
}

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

export function createWorldRows(sql: Sql): WorldRows {
  const removals = Object.entries(KEYS).map(([table, key]) =>
    sql(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE world = ? LIMIT ${ROWS_AT_ONCE})`,
    ),
  )
  return {
    removeSome: (world) => removals.some((removal) => removal.run(world) > 0),
    *list(table, world) {
      const select = sql<{ readonly world: number }>(`SELECT * FROM ${table} WHERE world = ?`)
      for (const { world: _, ...row } of select.iterate(world)) yield JSON.stringify(row)
    },
    countStrays(table) {
      const text = `SELECT count(*) AS count FROM ${table} WHERE world NOT IN (SELECT world FROM states)`
      return sql<{ count: number }>(text).get()?.count ?? 0
    },
  }
}

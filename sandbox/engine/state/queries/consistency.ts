import { DEFAULT_WORLD } from '../world-record.ts'
import type { Sql } from '../sql.ts'
import { listStrayWorlds } from './world-rows.ts'
import { createWorlds } from './worlds.ts'

const WRONG_COUNTS = `
  WITH
    counted AS (
      SELECT name, state ->> 'length' AS length, state ->> 'webhook_jobs' + state ->> 'callback_jobs' AS jobs,
        (SELECT coalesce(max(position), 0) FROM history WHERE world = number) AS last_entry,
        (SELECT coalesce(max(ordinal) + 1, 0) FROM jobs WHERE world = number) AS last_job
      FROM worlds WHERE name NOT NULL AND json_valid(state)
    ),
    store AS (
      SELECT (SELECT coalesce(sum(state ->> 'length'), 0) FROM worlds WHERE json_valid(state)) AS present_length,
        (SELECT coalesce(max(length), 0) FROM heads) AS stated_length
    )
  SELECT name, 'it has ' || last_entry || ' entries of ' || length AS problem FROM counted WHERE last_entry <> length
  UNION ALL SELECT name, 'a job is missing' FROM counted WHERE last_job <> jobs
  UNION ALL SELECT NULL, 'its worlds have ' || present_length || ' entries, and it states ' || stated_length
    FROM store WHERE present_length > stated_length`

export function findWrongCounts(sql: Sql): readonly string[] {
  const rows = sql.all<{ readonly name: string | null; readonly problem: string }>(WRONG_COUNTS)
  return [
    ...createWorlds(sql)
      .damaged()
      .map((number) => `the row of world number ${number} is damaged`),
    ...listStrayWorlds(sql, 'history').map(missingWorld),
    ...rows.map(({ name, problem }) => inWorld(name ?? DEFAULT_WORLD, problem)),
  ]
}

export const missingWorld = (number: number) => `world number ${number} is missing`

export function inWorld(name: string, problem: string): string {
  return name === DEFAULT_WORLD ? problem : `world "${name}": ${problem}`
}

import type { GroupCommit } from './group-commit.ts'
import { createWorlds } from './queries/worlds.ts'
import type { Sql } from './sql.ts'

/** Removes worlds next to the work at hand: to remove a large one at once would take a second. */
export interface Eraser {
  /** Removes the world with this number, a few rows at a time. What is left at a stop, the next start removes. */
  erase(number: number): void
  stop(): void
}

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

export function createEraser(
  sql: Sql,
  { add }: Pick<GroupCommit, 'add'>,
  soon: (run: () => void) => void,
): Eraser {
  const worlds = createWorlds(sql)
  const statements = Object.entries(KEYS).map(([table, key]) =>
    sql(
      `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE world = ? LIMIT ${ROWS_AT_ONCE})`,
    ),
  )
  let isStopped = false

  /** Returns true if nothing is left. */
  function eraseSome(number: number): boolean {
    if (statements.some((statement) => statement.run(number) > 0)) return false
    worlds.removeState(number)
    return true
  }

  async function erase(number: number): Promise<void> {
    await new Promise<void>((resolve) => soon(resolve))
    if (isStopped) return
    let isOver = false
    await add(() => {
      isOver = eraseSome(number)
      return { entries: 0, sum: 0, characters: ROWS_AT_ONCE * 1_000 }
    }, 'process')
    if (!isOver) await erase(number)
  }

  return {
    erase: (number) => void erase(number).catch(() => {}),
    stop() {
      isStopped = true
    },
  }
}

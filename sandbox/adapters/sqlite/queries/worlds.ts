import { crc32 } from 'node:zlib'
import type { WorldPause, WorldRecord } from '../../../engine/state/world-directory.ts'
import type { Sql } from '../sql.ts'

/** The counters of a world. Times are sandbox time in epoch milliseconds. */
export interface WorldState {
  length: number
  latest_at: number
  changed_at: number
  speed: number | null
  webhook_jobs: number
  callback_jobs: number
}

interface WorldRow {
  readonly name: string
  readonly number: number
  readonly record: string | null
  readonly pause: string | null
  readonly sum: number
}

/** The worlds of a store. */
export type Worlds = ReturnType<typeof createWorlds>

export function createWorlds(sql: Sql) {
  const find = (name: string) => sql.get<WorldRow>('SELECT * FROM worlds WHERE name = ?', [name])
  const list = () => sql.all<WorldRow>('SELECT * FROM worlds ORDER BY number')
  const setDraft = (number: number | undefined, isDraft: boolean) =>
    sql.run('UPDATE states SET is_draft = ? WHERE world = ?', [Number(isDraft), number ?? 0])

  function put(row: Omit<WorldRow, 'sum'>): void {
    const { name, number, record, pause } = row
    sql.run(
      `INSERT INTO worlds (name, number, record, pause, sum) VALUES (?, ?, ?, ?, ?) ON CONFLICT (name)
       DO UPDATE SET number = excluded.number, pause = excluded.pause, sum = excluded.sum`,
      [name, number, record, pause, sumOf(row)],
    )
  }

  function change(name: string, changes: Partial<WorldRow>): void {
    const row = find(name)
    if (row) put({ ...row, ...changes })
  }

  return {
    ...createStates(sql),
    /** Every world, the default one included. */
    list,
    numberOf: (name: string) => find(name)?.number,
    /** Adds a world with the rows of this number; without a record for the default world. */
    add(name: string, number: number, record?: WorldRecord): void {
      put({ name, number, record: record ? JSON.stringify(record) : null, pause: null })
      setDraft(number, false)
    },
    /** Gives the world the rows of a draft. */
    setNumber(name: string, number: number): void {
      setDraft(find(name)?.number, true)
      change(name, { number })
      setDraft(number, false)
    },
    remove(name: string): void {
      setDraft(find(name)?.number, true)
      sql.run('DELETE FROM worlds WHERE name = ?', [name])
    },
    /** Oldest first, without the default world. */
    records: () =>
      list()
        .flatMap(({ record }): readonly WorldRecord[] => (record === null ? [] : [JSON.parse(record)]))
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1)),
    pause(name: string): WorldPause | undefined {
      const text = find(name)?.pause
      return text === null || text === undefined ? undefined : JSON.parse(text)
    },
    setPause: (name: string, pause: WorldPause | undefined) =>
      change(name, { pause: pause ? JSON.stringify(pause) : null }),
    /** The names of worlds whose rows are not what was written. */
    changed: () => list().flatMap((row) => (row.sum === sumOf(row) ? [] : [row.name])),
  }
}

function sumOf({ name, number, record, pause }: Omit<WorldRow, 'sum'>): number {
  return crc32(JSON.stringify([name, number, record, pause]))
}

interface NumberRow {
  readonly number: number
}

/** The states of worlds, of drafts, and of worlds that are being erased. */
function createStates(sql: Sql) {
  const find = (number: number) =>
    sql.get<WorldState>(
      'SELECT length, latest_at, changed_at, speed, webhook_jobs, callback_jobs FROM states WHERE world = ?',
      [number],
    )

  return {
    /** Adds an empty state, which is a draft until a world has its number. Returns the number. */
    addState: () =>
      sql.get<NumberRow>(`
        INSERT INTO states (world, is_draft, length, latest_at, changed_at, speed, webhook_jobs, callback_jobs)
        VALUES ((SELECT coalesce(max(world) + 1, 1) FROM states), 1, 0, 0, 0, NULL, 0, 0)
        RETURNING world AS number`)?.number ?? 0,
    hasState: (number: number) => find(number) !== undefined,
    /** Throws RangeError for an unknown number. */
    state(number: number): WorldState {
      const row = find(number)
      if (!row) throw new RangeError(`Cannot read world ${number}: the store does not have it`)
      return { ...row }
    },
    save(number: number, state: WorldState): void {
      const { length, latest_at, changed_at, speed, webhook_jobs, callback_jobs } = state
      sql.run(
        `UPDATE states SET length = ?, latest_at = ?, changed_at = ?, speed = ?, webhook_jobs = ?,
         callback_jobs = ? WHERE world = ?`,
        [length, latest_at, changed_at, speed, webhook_jobs, callback_jobs, number],
      )
    },
    removeState: (number: number) => void sql.run('DELETE FROM states WHERE world = ?', [number]),
    /** The numbers of drafts, and of worlds that are being erased. */
    drafts: () =>
      sql.all<NumberRow>('SELECT world AS number FROM states WHERE is_draft = 1').map(({ number }) => number),
  }
}

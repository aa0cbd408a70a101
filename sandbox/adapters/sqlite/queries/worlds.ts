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

/** The worlds of a store. A world has one number at a time, which its rows in all other tables have. */
export interface Worlds {
  /** The number of the world with this name; undefined if there is none. */
  find(name: string): number | undefined
  /** Adds an empty state, which is a draft until a world has its number. Returns the number. */
  addState(): number
  state(number: number): WorldState | undefined
  save(number: number, state: WorldState): void
  removeState(number: number): void
  /** Adds a world with the rows of this number; without a record for the default world. */
  add(name: string, number: number, record?: WorldRecord): void
  setNumber(name: string, number: number): void
  remove(name: string): void
  /** Oldest first, without the default world. */
  records(): readonly WorldRecord[]
  pause(name: string): WorldPause | undefined
  setPause(name: string, pause: WorldPause | undefined): void
  /** Every world with its number, the default one included. */
  list(): readonly Pick<WorldRow, 'name' | 'number'>[]
  /** The numbers of drafts, and of worlds that are being erased. */
  drafts(): readonly number[]
  /** The numbers of worlds whose rows are missing, and of worlds that count as drafts. */
  inconsistent(): readonly number[]
  /** The names of worlds whose rows are not what was written. */
  changed(): readonly string[]
  /** The numbers with entries, and without a state. */
  withoutState(): Iterable<number>
  /** The number of entries in all states. */
  totalLength(): number
  /** The numbers of entries and of jobs that a world has by its last rows. */
  counts(number: number): { readonly entries: number; readonly jobs: number }
}

const COLUMNS = ['length', 'latest_at', 'changed_at', 'speed', 'webhook_jobs', 'callback_jobs'] as const

interface NumberRow {
  readonly number: number
}

interface WorldRow {
  readonly name: string
  readonly number: number
  readonly record: string | null
  readonly pause: string | null
}

export function createWorlds(sql: Sql): Worlds {
  const select = sql<WorldRow>('SELECT name, number, record, pause FROM worlds WHERE name = ?')
  const selectAll = sql<WorldRow & { readonly sum: number }>('SELECT * FROM worlds ORDER BY number')
  const upsert = sql(`
    INSERT INTO worlds (name, number, record, pause, sum) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET number = excluded.number, pause = excluded.pause, sum = excluded.sum`)
  const remove = sql('DELETE FROM worlds WHERE name = ?')
  const setDraft = sql('UPDATE states SET is_draft = ? WHERE world = ?')

  function put(row: WorldRow): void {
    upsert.run(row.name, row.number, row.record, row.pause, sumOf(row))
  }

  function change(name: string, changes: Partial<WorldRow>): void {
    const row = select.get(name)
    if (row) put({ ...row, ...changes })
  }

  return {
    ...createStates(sql),
    ...createCounts(sql),
    find: (name) => select.get(name)?.number,
    add(name, number, record) {
      put({ name, number, record: record ? JSON.stringify(record) : null, pause: null })
      setDraft.run(0, number)
    },
    setNumber(name, number) {
      setDraft.run(1, select.get(name)?.number ?? 0)
      change(name, { number })
      setDraft.run(0, number)
    },
    remove(name) {
      setDraft.run(1, select.get(name)?.number ?? 0)
      remove.run(name)
    },
    records: () =>
      selectAll
        .all()
        .flatMap(({ record }): readonly WorldRecord[] => (record === null ? [] : [JSON.parse(record)]))
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1)),
    pause(name) {
      const text = select.get(name)?.pause
      return text === null || text === undefined ? undefined : JSON.parse(text)
    },
    setPause: (name, pause) => change(name, { pause: pause ? JSON.stringify(pause) : null }),
    list: () => selectAll.all(),
    changed: () => selectAll.all().flatMap((row) => (row.sum === sumOf(row) ? [] : [row.name])),
  }
}

function sumOf({ name, number, record, pause }: WorldRow): number {
  return crc32(JSON.stringify([name, number, record, pause]))
}

type States = Pick<Worlds, 'addState' | 'state' | 'save' | 'removeState' | 'drafts' | 'inconsistent'>

function createCounts(sql: Sql): Pick<Worlds, 'withoutState' | 'totalLength' | 'counts'> {
  const selectNext = sql<NumberRow>(
    'SELECT world AS number FROM history WHERE world > ? ORDER BY world LIMIT 1',
  )
  const selectState = sql<NumberRow>('SELECT world AS number FROM states WHERE world = ?')
  const selectTotal = sql<{ length: number }>('SELECT coalesce(sum(length), 0) AS length FROM states')
  const selectCounts = sql<{ entries: number; jobs: number }>(`
    SELECT (SELECT coalesce(max(position), 0) FROM history WHERE world = ?1) AS entries,
      (SELECT coalesce(max(ordinal) + 1, 0) FROM jobs WHERE world = ?1) AS jobs`)
  return {
    *withoutState() {
      for (let row = selectNext.get(0); row; row = selectNext.get(row.number))
        if (!selectState.get(row.number)) yield row.number
    },
    totalLength: () => selectTotal.get()?.length ?? 0,
    counts: (number) => selectCounts.get(number) ?? { entries: 0, jobs: 0 },
  }
}

function createStates(sql: Sql): States {
  const insert = sql<NumberRow>(`
    INSERT INTO states (world, is_draft, ${COLUMNS.join(', ')})
    VALUES ((SELECT coalesce(max(world) + 1, 1) FROM states), 1, 0, 0, 0, NULL, 0, 0) RETURNING world AS number`)
  const select = sql<WorldState>(`SELECT ${COLUMNS.join(', ')} FROM states WHERE world = ?`)
  const update = sql(
    `UPDATE states SET ${COLUMNS.map((column) => `${column} = ?`).join(', ')} WHERE world = ?`,
  )
  const remove = sql('DELETE FROM states WHERE world = ?')
  const selectDrafts = sql<NumberRow>('SELECT world AS number FROM states WHERE is_draft = 1')
  const selectInconsistent = sql<NumberRow>(
    'SELECT world AS number FROM states WHERE is_draft <> (world NOT IN (SELECT number FROM worlds))',
  )
  const toNumbers = (rows: readonly NumberRow[]) => rows.map(({ number }) => number)
  return {
    addState: () => insert.get()?.number ?? 0,
    state(number) {
      const row = select.get(number)
      return row && { ...row }
    },
    save: (number, state) => update.run(...COLUMNS.map((column) => state[column]), number),
    removeState: (number) => remove.run(number),
    drafts: () => toNumbers(selectDrafts.all()),
    inconsistent: () => toNumbers(selectInconsistent.all()),
  }
}

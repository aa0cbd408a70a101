import { crc32 } from 'node:zlib'
import type { Sql } from '../sql.ts'
import type { WorldPause, WorldRecord } from '../world-record.ts'

/** The counters and times of a world. Times are sandbox time in milliseconds since the Unix epoch. */
export interface WorldState {
  length: number
  latest_at: number
  changed_at: number
  speed: number | null
  webhook_jobs: number
  callback_jobs: number
  /** The started attempts that have not ended: the position of the start in the history, by the ordinal of the job. */
  readonly begun: Map<number, number>
}

/** The columns that the checksum covers. `name` is null for a draft and for a world that is being erased. */
interface Label {
  readonly number: number
  readonly name: string | null
  readonly record: string | null
  readonly pause: string | null
}

const NO_LABEL = { name: null, record: null, pause: null }

export type WorldRows = ReturnType<typeof createWorlds>

export function createWorlds(sql: Sql) {
  function put(label: Label): void {
    const { number, name, record, pause } = label
    sql.run('UPDATE worlds SET name = ?, record = ?, pause = ?, sum = ? WHERE number = ?', [
      name,
      record,
      pause,
      sumOf(label),
      number,
    ])
  }

  function remove(name: string): void {
    const label = find(sql, name)
    if (label) put({ ...label, ...NO_LABEL })
  }

  return {
    ...createWorldView(sql),
    ...createCounters(sql),
    addDraft(): number {
      const { number = 0 } = sql.get<Label>('SELECT coalesce(max(number), 0) + 1 AS number FROM worlds') ?? {}
      sql.run(
        `INSERT INTO worlds (number, sum, length, latest_at, changed_at, webhook_jobs, callback_jobs, begun)
         VALUES (?, ?, 0, 0, 0, 0, 0, '')`,
        [number, sumOf({ number, ...NO_LABEL })],
      )
      return number
    },
    /** Converts a draft into a world. Omit `record` for the default world. */
    add: (number: number, name: string, record?: WorldRecord) =>
      put({ ...NO_LABEL, number, name, record: record ? JSON.stringify(record) : null }),
    setNumber(name: string, number: number): void {
      const label = find(sql, name)
      remove(name)
      if (label) put({ ...label, number })
    },
    setPause(name: string, pause: WorldPause | undefined): void {
      const label = find(sql, name)
      if (label) put({ ...label, pause: pause ? JSON.stringify(pause) : null })
    },
    remove,
    removeRow: (number: number) => void sql.run('DELETE FROM worlds WHERE number = ?', [number]),
  }
}

function find(sql: Sql, name: string): Label | undefined {
  return sql.get('SELECT number, name, record, pause FROM worlds WHERE name = ?', [name])
}

function createWorldView(sql: Sql) {
  const list = () =>
    sql.all<Label & { readonly sum: number }>('SELECT number, name, record, pause, sum FROM worlds')
  return {
    numberOf: (name: string) => find(sql, name)?.number,
    pause(name: string): WorldPause | undefined {
      const text = find(sql, name)?.pause ?? undefined
      return text === undefined ? undefined : JSON.parse(text)
    },
    named: () => list().flatMap(({ name, number }) => (name === null ? [] : { name, number })),
    /** Returns the numbers of drafts, and of worlds that are being erased. */
    drafts: () => list().flatMap(({ name, number }) => (name === null ? number : [])),
    /** Returns the records of all worlds except the default world, oldest first. */
    records: () =>
      list()
        .flatMap(({ record }): readonly WorldRecord[] => (record === null ? [] : [JSON.parse(record)]))
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1)),
    /** Lists the worlds with a wrong checksum, by world number. */
    changed: () => list().flatMap((row) => (row.sum === sumOf(row) ? [] : row.number)),
  }
}

function createCounters(sql: Sql) {
  return {
    /** Returns the counters and times of a world. Throws RangeError for an unknown number. */
    state(number: number): WorldState {
      const row = sql.get<WorldState & { readonly begun: string }>(
        'SELECT length, latest_at, changed_at, speed, webhook_jobs, callback_jobs, begun FROM worlds WHERE number = ?',
        [number],
      )
      if (!row) throw new RangeError(`Cannot read world ${number}: the store does not contain this world`)
      return { ...row, begun: parseBegun(row.begun) }
    },
    save(number: number, state: WorldState): void {
      const { length, latest_at, changed_at, speed, webhook_jobs, callback_jobs } = state
      const begun = Array.from(state.begun, ([job, position]) => `${job}:${position}`).join(' ')
      sql.run(
        `UPDATE worlds SET length = ?, latest_at = ?, changed_at = ?, speed = ?, webhook_jobs = ?,
         callback_jobs = ?, begun = ? WHERE number = ?`,
        [length, latest_at, changed_at, speed, webhook_jobs, callback_jobs, begun, number],
      )
    },
  }
}

function parseBegun(text: string): WorldState['begun'] {
  const pairs = text === '' ? [] : text.split(' ').map((pair) => pair.split(':').map(Number))
  return new Map(pairs.map(([job = Number.NaN, position = Number.NaN]) => [job, position]))
}

function sumOf({ number, name, record, pause }: Label): number {
  return crc32(JSON.stringify([number, name, record, pause]))
}

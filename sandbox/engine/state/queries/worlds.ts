import { crc32 } from 'node:zlib'
import type { Sql } from '../sql.ts'
import type { WorldPause, WorldRecord } from '../world-record.ts'

/** The counters and times of a world. Times are sandbox time in milliseconds since the Unix epoch. */
export interface WorldState {
  /** The number of entries in the history. */
  length: number
  /** The time of the latest entry, and of the latest change of an object. */
  latest_at: number
  changed_at: number
  /** The speed of the clock, if a user has set it. */
  speed: number | null
  webhook_jobs: number
  callback_jobs: number
  /** The number of objects of each type. */
  readonly objects: { [type: string]: number }
  /** The started attempts that have not ended: the position of the start in the history, by the ordinal of the job. */
  readonly begun: Map<number, number>
}

const NEW_WORLD: WorldState = {
  length: 0,
  latest_at: 0,
  changed_at: 0,
  speed: null,
  webhook_jobs: 0,
  callback_jobs: 0,
  objects: {},
  begun: new Map(),
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
    ...createStates(sql),
    addDraft(): number {
      const { number = 0 } = sql.get<Label>('SELECT coalesce(max(number), 0) + 1 AS number FROM worlds') ?? {}
      const [state, state_sum] = formatState(number, NEW_WORLD)
      sql.run('INSERT INTO worlds (number, sum, state, state_sum) VALUES (?, ?, ?, ?)', [
        number,
        sumOf({ number, ...NO_LABEL }),
        state,
        state_sum,
      ])
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
    sql.all<Label & Sums>('SELECT number, name, record, pause, sum, state, state_sum FROM worlds')
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
    damaged: () => list().flatMap((row) => (isWhole(row) ? [] : row.number)),
  }
}

interface Sums {
  readonly sum: number
  readonly state: string
  readonly state_sum: number
}

const isWhole = (row: Label & Sums) =>
  row.sum === sumOf(row) && row.state_sum === crc32(row.state, row.number)

function createStates(sql: Sql) {
  return {
    /** Returns the counters and times of a world. Throws RangeError for an unknown number. */
    state(number: number): WorldState {
      const row = sql.get<{ readonly state: string }>('SELECT state FROM worlds WHERE number = ?', [number])
      if (!row) throw new RangeError(`Cannot read world ${number}: the store does not contain this world`)
      const state = JSON.parse(row.state)
      return { ...state, begun: new Map(state.begun) }
    },
    save: (number: number, state: WorldState) =>
      sql.run('UPDATE worlds SET state = ?, state_sum = ? WHERE number = ?', [
        ...formatState(number, state),
        number,
      ]),
  }
}

function formatState(number: number, state: WorldState): [text: string, sum: number] {
  const text = JSON.stringify({ ...state, begun: [...state.begun] })
  return [text, crc32(text, number)]
}

function sumOf({ number, name, record, pause }: Label): number {
  return crc32(JSON.stringify([number, name, record, pause]))
}

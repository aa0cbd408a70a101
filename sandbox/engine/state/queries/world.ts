import type { Entry } from '../entries.ts'
import { createWorlds } from './worlds.ts'
import type { Sql, Values } from '../sql.ts'

export type StoredWorld = ReturnType<typeof openStoredWorld>

/** The maximum number of cached rows of a kind. A delivery reads its rows repeatedly, also after a wait in the queue. */
const MAX_ROWS = 2_048
/** The number of cached entries. The newest entries are cached, because their bodies are sent soon after the write. */
const KEPT_ENTRIES = 256

let epochs = 0

export function openStoredWorld(sql: Sql, opened: number, path: string) {
  const worlds = createWorlds(sql)
  let number = opened
  let state = worlds.state(number)
  let epoch = ++epochs
  const { forget, ...kept } = createKept()
  const entries = createNewestEntries()
  const later = new Set<() => void>()

  return {
    path,
    get number() {
      return number
    },
    /** Returns the counters and times of the world, including changes of the open transaction. */
    get state() {
      return state
    },
    /** A counter that changes with each rollback or replacement. After such a change, values from earlier reads are invalid. */
    get epoch() {
      return epoch
    },
    entries,
    ...kept,
    sql,
    // The functions below pass the number of the world as the first parameter of each statement.
    get: <Row>(text: string, values: Values = []) => sql.get<Row>(text, [number, ...values]),
    all: <Row>(text: string, values: Values = []) => sql.all<Row>(text, [number, ...values]),
    run: (text: string, values: Values = []) => sql.run(text, [number, ...values]),
    value: <Value>(text: string, values: Values = []) =>
      firstColumn<Value>(sql.get<object>(text, [number, ...values]) ?? {}),
    column: <Value>(text: string, values: Values = []) =>
      sql.all<object>(text, [number, ...values]).map((row) => firstColumn<Value>(row)),
    save: () => worlds.save(number, state),
    /** Delays a write until `writeRest` is called. The same function is called only once. */
    writeLater: (write: () => void) => void later.add(write),
    writeRest(): void {
      for (const write of later) write()
      later.clear()
    },
    reload(next = number): void {
      number = next
      state = worlds.state(number)
      epoch = ++epochs
      forget()
      entries.clear()
      later.clear()
    },
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text of the statement determines the type
const firstColumn = <Value>(row: object) => Object.values(row)[0] as Value

function createKept() {
  const rowsByKind = new Map<string, Map<string, object | null>>()
  const held = new Map<string, unknown>()

  function rowsOf(kind: string) {
    let rows = rowsByKind.get(kind)
    if (!rows || rows.size === MAX_ROWS) rowsByKind.set(kind, (rows = new Map()))
    return rows
  }

  return {
    cached<Row extends object>(kind: string, key: string, read: () => Row | undefined): Row | undefined {
      const rows = rowsOf(kind)
      let known = rows.get(key)
      // The cache stores null for a missing row.
      if (known === undefined) rows.set(key, (known = read() ?? null))
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all rows of a kind have the same type
      return (known ?? undefined) as Row | undefined
    },
    keep: (kind: string, key: string, row: object) => rowsOf(kind).set(key, row),
    /** Caches the contents of small tables that every call needs. */
    held<Value>(key: string, read: () => Value): Value {
      if (!held.has(key)) held.set(key, read())
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all values of a key have the same type
      return held.get(key) as Value
    },
    invalidate: (key: string) => void held.delete(key),
    forget(): void {
      rowsByKind.clear()
      held.clear()
    },
  }
}

function createNewestEntries() {
  const kept: { readonly position: number; readonly entry: Entry }[] = []
  return {
    get(position: number): Entry | undefined {
      const found = kept[position % KEPT_ENTRIES]
      return found?.position === position ? found.entry : undefined
    },
    keep: (position: number, entry: Entry) => void (kept[position % KEPT_ENTRIES] = { position, entry }),
    clear: () => void (kept.length = 0),
  }
}

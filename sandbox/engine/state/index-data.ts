import { createColumn, type Column, type ColumnKind } from '../core/column.ts'

/** What the indexes hold, by names: whatever is large in columns of numbers, and the rest in what JSON can print. */
export interface IndexData {
  column(name: string, kind: ColumnKind): Column
  list<Value>(name: string): Value[]
  map<Key extends string | number, Value>(name: string): Map<Key, Value>
  record<Value extends object>(name: string, initial: Value): Value
  /** What it was asked for, or a copy had, so far. */
  names(): readonly string[]
  /** All of it, as it is when the columns are gone through. */
  copy(): IndexCopy
}

/** What the indexes hold; the columns are copied, or read, when it comes to them. */
export interface IndexCopy {
  readonly columns: Iterable<ColumnCopy>
  /** JSON of the rest. */
  readonly rest: string
}

export interface ColumnCopy {
  readonly name: string
  readonly kind: ColumnKind
  readonly bytes: Uint8Array<ArrayBuffer>
}

interface Rest {
  readonly lists: readonly (readonly [string, unknown[]])[]
  readonly maps: readonly (readonly [string, readonly (readonly [string | number, unknown])[]])[]
  readonly records: readonly (readonly [string, object])[]
}

/** Empty, or as a copy has it. */
export function createIndexData(copy?: IndexCopy): IndexData {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `copy` writes it
  const rest = JSON.parse(copy?.rest ?? '{"lists":[],"maps":[],"records":[]}') as Rest
  const columns = new Map<string, { readonly kind: ColumnKind; readonly column: Column }>()
  for (const { name, kind, bytes } of copy?.columns ?? [])
    columns.set(name, { kind, column: createColumn(kind, bytes) })
  const lists = new Map(rest.lists)
  const maps = new Map(rest.maps.map(([name, entries]) => [name, new Map(entries)]))
  const records = new Map(rest.records)
  return {
    column: (name, kind) => valueIn(columns, name, () => ({ kind, column: createColumn(kind) })).column,
    list: (name) => as(valueIn(lists, name, () => [])),
    map: (name) => as(valueIn(maps, name, () => new Map())),
    record: (name, initial) => as(valueIn(records, name, () => initial)),
    names: () => [columns, lists, maps, records].flatMap((values) => [...values.keys()]),
    copy: () => ({
      columns: copyColumns(columns),
      rest: JSON.stringify({
        lists: [...lists],
        maps: [...maps].map(([name, map]) => [name, [...map]]),
        records: [...records],
      } satisfies Rest),
    }),
  }
}

/** One after the other, when it comes to them. */
function* copyColumns(
  columns: ReadonlyMap<string, { readonly kind: ColumnKind; readonly column: Column }>,
): Iterable<ColumnCopy> {
  for (const [name, { kind, column }] of columns) yield { name, kind, bytes: column.bytes() }
}

function valueIn<Value>(values: Map<string, Value>, name: string, create: () => Value): Value {
  const known = values.get(name)
  if (known !== undefined) return known
  const value = create()
  values.set(name, value)
  return value
}

/** Each name is asked for with one type. */
function as<Type>(value: unknown): Type {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return value as Type
}

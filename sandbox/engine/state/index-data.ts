import { createColumn, type Column, type ColumnKind } from '../core/column.ts'

/** What the indexes hold, by names: whatever is large in columns of numbers, and the rest in what JSON can print. */
export interface IndexData {
  column(name: string, kind: ColumnKind): Column
  list<Value>(name: string): Value[]
  record<Value extends object>(name: string, initial: Value): Value
  map<Key extends string | number, Value>(name: string): Map<Key, Value>
}

export function createIndexData(): IndexData {
  return {
    column: (_, kind) => createColumn(kind),
    list: () => [],
    record: (_, initial) => initial,
    map: () => new Map(),
  }
}

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { isError } from '../../../spec/errors.ts'

export type Values = readonly SQLInputValue[]

/** Runs SQL statements. Prepares each statement once, and passes SQLite errors through `toError`. */
export interface Sql {
  get<Row>(text: string, values?: Values): Row | undefined
  all<Row>(text: string, values?: Values): Row[]
  /** Returns rows as arrays of columns, which takes less time than objects. */
  rows<Row extends readonly unknown[]>(text: string, values?: Values): Row[]
  iterate<Row>(text: string, values?: Values): Iterable<Row>
  /** Returns the number of changed rows. */
  run(text: string, values?: Values): number
}

export function createSql(
  database: DatabaseSync,
  toError: (error: unknown) => unknown = (error) => error,
): Sql {
  const statements = { objects: new Map<string, StatementSync>(), arrays: new Map<string, StatementSync>() }

  function prepare(text: string, kind: keyof typeof statements): StatementSync {
    const statement = database.prepare(text)
    statement.setReturnArrays(kind === 'arrays')
    statements[kind].set(text, statement)
    return statement
  }

  function use<Result>(
    text: string,
    run: (statement: StatementSync) => Result,
    kind: keyof typeof statements = 'objects',
  ): Result {
    try {
      return run(statements[kind].get(text) ?? prepare(text, kind))
    } catch (error) {
      throw toError(error)
    }
  }

  // The caller specifies the row type, because the type depends on the statement.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    get: <Row>(text: string, values: Values = []) =>
      use(text, (statement) => statement.get(...values) as Row),
    all: <Row>(text: string, values: Values = []) =>
      use(text, (statement) => statement.all(...values) as Row[]),
    rows: <Row extends readonly unknown[]>(text: string, values: Values = []) =>
      use(text, (statement) => statement.all(...values) as unknown as Row[], 'arrays'),
    iterate: <Row>(text: string, values: Values = []) =>
      use(text, (statement) => statement.iterate(...values) as Iterable<Row>),
    run: (text, values = []) => use(text, (statement) => Number(statement.run(...values).changes)),
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

export function parse<Value>(json: string | undefined): Value | undefined {
  return json === undefined ? undefined : JSON.parse(json)
}

const SQLITE_CONSTRAINT = 19

export function isConstraint(error: unknown): boolean {
  const code: unknown = isError(error) ? Reflect.get(error, 'errcode') : undefined
  return typeof code === 'number' && (code & 0xff) === SQLITE_CONSTRAINT
}

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { isError } from '../../../spec/errors.ts'

export type Values = readonly SQLInputValue[]

/** Runs SQL statements. Prepares each statement once, and passes SQLite errors through `toError`. */
export interface Sql {
  get<Row>(text: string, values?: Values): Row | undefined
  all<Row>(text: string, values?: Values): Row[]
  iterate<Row>(text: string, values?: Values): Iterable<Row>
  /** Returns the number of changed rows. */
  run(text: string, values?: Values): number
}

export function createSql(
  database: DatabaseSync,
  toError: (error: unknown) => unknown = (error) => error,
): Sql {
  const statementByText = new Map<string, StatementSync>()

  function use<Result>(text: string, run: (statement: StatementSync) => Result): Result {
    try {
      let statement = statementByText.get(text)
      if (!statement) statementByText.set(text, (statement = database.prepare(text)))
      return run(statement)
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

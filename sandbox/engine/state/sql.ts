import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { isError } from '../../../spec/errors.ts'

export type Values = readonly SQLInputValue[]

/** Runs statements on a database. Each text is prepared once. Errors of SQLite are passed through `toError`. */
export interface Sql {
  get<Row>(text: string, values?: Values): Row | undefined
  all<Row>(text: string, values?: Values): Row[]
  /** Reads one row after the other. */
  iterate<Row>(text: string, values?: Values): Iterable<Row>
  /** Returns how many rows were changed. */
  run(text: string, values?: Values): number
}

export function createSql(
  database: DatabaseSync,
  toError: (error: unknown) => unknown = (error) => error,
): Sql {
  const preparedByText = new Map<string, Prepared>()

  function prepare(text: string): Prepared {
    const prepared = preparedByText.get(text) ?? prepareNumbered(database, text)
    preparedByText.set(text, prepared)
    return prepared
  }

  function bind(text: string, values: Values) {
    const { statement, order } = prepare(text)
    return { statement, bound: order ? order.map((number) => values[number - 1] ?? null) : values }
  }

  function use<Result>(
    text: string,
    values: Values,
    run: (statement: StatementSync, bound: Values) => Result,
  ): Result {
    try {
      const { statement, bound } = bind(text, values)
      return run(statement, bound)
    } catch (error) {
      throw toError(error)
    }
  }

  // The text of a statement decides which columns a row has.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    get: <Row>(text: string, values: Values = []) =>
      use(text, values, (statement, bound) => statement.get(...bound) as Row),
    all: <Row>(text: string, values: Values = []) =>
      use(text, values, (statement, bound) => statement.all(...bound) as Row[]),
    *iterate<Row>(text: string, values: Values = []) {
      try {
        const { statement, bound } = bind(text, values)
        for (const row of statement.iterate(...bound)) yield row as Row
      } catch (error) {
        throw toError(error)
      }
    },
    run: (text, values = []) =>
      use(text, values, (statement, bound) => Number(statement.run(...bound).changes)),
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

interface Prepared {
  readonly statement: StatementSync
  /** The number of the value for each parameter. Undefined if the values are in order. */
  readonly order: readonly number[] | undefined
}

/** Node 22.19 cannot bind numbered parameters such as ?2, so they become plain ones. */
function prepareNumbered(database: DatabaseSync, text: string): Prepared {
  if (!/\?\d/.test(text)) return { statement: database.prepare(text), order: undefined }
  const order: number[] = []
  let last = 0
  const plain = text.replaceAll(/\?(\d*)/g, (_, number: string) => {
    order.push(number === '' ? last + 1 : Number(number))
    last = Math.max(last, order.at(-1) ?? 0)
    return '?'
  })
  return { statement: database.prepare(plain), order }
}

/** Reads a column that is JSON; undefined if there is no row. */
export function parse<Value>(json: string | undefined): Value | undefined {
  return json === undefined ? undefined : JSON.parse(json)
}

const SQLITE_CONSTRAINT = 19

/** True for a row that breaks a rule of the schema. */
export function isConstraint(error: unknown): boolean {
  const code: unknown = isError(error) ? Reflect.get(error, 'errcode') : undefined
  return typeof code === 'number' && (code & 0xff) === SQLITE_CONSTRAINT
}

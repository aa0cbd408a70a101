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

  function use<Result>(text: string, run: (prepared: Prepared) => Result): Result {
    try {
      let prepared = preparedByText.get(text)
      if (!prepared) preparedByText.set(text, (prepared = prepareNumbered(database, text)))
      return run(prepared)
    } catch (error) {
      throw toError(error)
    }
  }

  // The text of a statement decides which columns a row has.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    get: <Row>(text: string, values: Values = []) =>
      use(text, ({ statement, order }) => statement.get(...inOrder(values, order)) as Row),
    all: <Row>(text: string, values: Values = []) =>
      use(text, ({ statement, order }) => statement.all(...inOrder(values, order)) as Row[]),
    iterate: <Row>(text: string, values: Values = []) =>
      use(text, ({ statement, order }) => statement.iterate(...inOrder(values, order)) as Iterable<Row>),
    run: (text, values = []) =>
      use(text, ({ statement, order }) => Number(statement.run(...inOrder(values, order)).changes)),
  }
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}

const inOrder = (values: Values, order: Prepared['order']): Values =>
  order ? order.map((number) => values[number - 1] ?? null) : values

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

export function isConstraint(error: unknown): boolean {
  const code: unknown = isError(error) ? Reflect.get(error, 'errcode') : undefined
  return typeof code === 'number' && (code & 0xff) === SQLITE_CONSTRAINT
}

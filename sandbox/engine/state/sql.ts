import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { isError } from '../../../spec/errors.ts'

export type Values = readonly SQLInputValue[]

/** Runs statements on a database. Each text is prepared once. */
export interface Sql {
  get<Row>(text: string, values?: Values): Row | undefined
  all<Row>(text: string, values?: Values): Row[]
  /** Reads one row after the other. */
  iterate<Row>(text: string, values?: Values): Iterable<Row>
  /** Returns how many rows were changed. */
  run(text: string, values?: Values): number
}

export function createSql(database: DatabaseSync): Sql {
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

  return {
    get<Row>(text: string, values: Values = []) {
      const { statement, bound } = bind(text, values)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text decides which columns a row has
      return statement.get(...bound) as Row
    },
    all<Row>(text: string, values: Values = []) {
      const { statement, bound } = bind(text, values)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
      return statement.all(...bound) as Row[]
    },
    iterate<Row>(text: string, values: Values = []) {
      const { statement, bound } = bind(text, values)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
      return statement.iterate(...bound) as Iterable<Row>
    },
    run(text, values = []) {
      const { statement, bound } = bind(text, values)
      return Number(statement.run(...bound).changes)
    },
  }
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

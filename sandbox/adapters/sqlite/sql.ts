import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

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
  const statementByText = new Map<string, StatementSync>()

  function prepare(text: string): StatementSync {
    const statement = statementByText.get(text) ?? database.prepare(text)
    statementByText.set(text, statement)
    return statement
  }

  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text decides which columns a row has
    get: <Row>(text: string, values: Values = []) => prepare(text).get(...values) as Row,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    all: <Row>(text: string, values: Values = []) => prepare(text).all(...values) as Row[],
    iterate: <Row>(text: string, values: Values = []) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
      prepare(text).iterate(...values) as Iterable<Row>,
    run: (text, values = []) => Number(prepare(text).run(...values).changes),
  }
}

/** Reads a column that is JSON; undefined if there is no row. */
export function parse<Value>(json: string | undefined): Value | undefined {
  return json === undefined ? undefined : JSON.parse(json)
}

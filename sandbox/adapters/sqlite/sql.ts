import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** A statement whose rows have one shape. It is prepared on first use. */
export interface Statement<Row = never> {
  get(...values: readonly SQLInputValue[]): Row | undefined
  all(...values: readonly SQLInputValue[]): Row[]
  /** Reads one row after the other. */
  iterate(...values: readonly SQLInputValue[]): Iterable<Row>
  /** Returns how many rows were changed. */
  run(...values: readonly SQLInputValue[]): number
}

/** Returns the statement with this text, the same one each time. */
export type Sql = <Row = never>(text: string) => Statement<Row>

/** Returns the statements of a database. */
export function createSql(database: DatabaseSync): Sql {
  const statementByText = new Map<string, Statement>()
  return (text) => {
    const known = statementByText.get(text)
    const statement = known ?? createStatement(database, text)
    if (!known) statementByText.set(text, statement)
    return statement
  }
}

function createStatement(database: DatabaseSync, text: string): Statement {
  let prepared: StatementSync | undefined
  const prepare = () => (prepared ??= database.prepare(text))
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    get: (...values) => prepare().get(...values) as undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    all: (...values) => prepare().all(...values) as never[],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    iterate: (...values) => prepare().iterate(...values) as Iterable<never>,
    run: (...values) => Number(prepare().run(...values).changes),
  }
}

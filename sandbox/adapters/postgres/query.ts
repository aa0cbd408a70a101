export type Row = Readonly<Record<string, unknown>>

/** What a statement gives. */
export interface Rows {
  readonly rows: readonly Row[]
  /** How many it changed, or gives. */
  readonly count: number
}

export type Query = (sql: string, values?: readonly unknown[]) => Promise<Rows>

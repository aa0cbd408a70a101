import type { StoreHead } from '../head-file.ts'
import type { Sql } from '../sql.ts'

/** The newest states of the store. */
export interface Heads {
  /** Of an empty store if there is none. */
  newest(): StoreHead
  /** The sum at a length of the store; undefined if the store never had this length, or no longer keeps its state. */
  sumAt(length: number): number | undefined
  put(head: StoreHead): void
  /** Removes the states at shorter lengths. */
  removeBefore(length: number): void
}

export function createHeads(sql: Sql): Heads {
  const selectNewest = sql<StoreHead>('SELECT length, sum FROM heads ORDER BY length DESC LIMIT 1')
  const selectSum = sql<{ sum: number }>('SELECT sum FROM heads WHERE length = ?')
  const upsert = sql('INSERT OR REPLACE INTO heads (length, sum) VALUES (?, ?)')
  const remove = sql('DELETE FROM heads WHERE length < ?')
  return {
    newest: () => selectNewest.get() ?? { length: 0, sum: 0 },
    sumAt: (length) => selectSum.get(length)?.sum,
    put: ({ length, sum }) => upsert.run(length, sum),
    removeBefore: (length) => remove.run(length),
  }
}

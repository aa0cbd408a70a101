import type { Database } from './database.ts'
import type { EntryRow } from './entry-rows.ts'
import type { Tables } from './tables.ts'

/** What must still be so for a node to write: nobody has taken the world since, and it is as long as the node believes. */
export interface Fence {
  /** The number of the world's row. */
  readonly world: number
  /** Beside the epoch: a replica that lacks what this holder took the world by gives the same epoch to another. */
  readonly holder: string
  readonly epoch: number
  readonly generation: number
  readonly length: number
}

/**
 * Extends the lease, checks the fence, and appends, all in one statement; false if the fence is no more, and nothing was changed
 * then. A lease that ran out and that nobody took is extended.
 */
export async function appendRows(
  { query, tables }: Database,
  { world, holder, epoch, generation, length }: Fence,
  { rows, leaseMs }: { readonly rows: readonly EntryRow[]; readonly leaseMs: number },
): Promise<boolean> {
  const sql = `
    WITH fence AS (
      UPDATE ${tables.worlds} SET length = length + $5, lease_until = now() + $6 * interval '1 millisecond'
      WHERE number = $1 AND holder = $7 AND epoch = $2 AND generation = $3 AND length = $4 AND problem IS NULL
      RETURNING number
    )
    ${insertAdded(tables, 8)} FROM fence, added`
  const values = [world, epoch, generation, length, rows.length, leaseMs, holder]
  const { count } = await query(sql, [...values, ...pack(rows)])
  return count === rows.length
}

/** Rows behind the first `length` of a generation that nobody reads yet; false if the world is not this node's any more. */
export async function appendStaged(
  { query, tables }: Database,
  { world, holder, epoch, generation, length }: Fence,
  rows: readonly EntryRow[],
): Promise<boolean> {
  // Locked: who takes the world to remove it waits for these rows, and removes them, too.
  const sql = `
    WITH owned AS (SELECT number FROM ${tables.worlds} WHERE number = $1 AND holder = $5 AND epoch = $2 FOR SHARE)
    ${insertAdded(tables, 6)} FROM owned, added`
  const { count } = await query(sql, [world, epoch, generation, length, holder, ...pack(rows)])
  return count === rows.length
}

/** Begins within a WITH. World, generation and length are the first, third and fourth parameter; what is packed begins at `first`. */
function insertAdded({ entries }: Tables, first: number): string {
  const [texts, ...columns] = Array.from({ length: 6 }, (_, index) => `$${first + index}`)
  return `, added AS (
      SELECT * FROM unnest(${columns.map((column) => `${column}::int4[]`).join(', ')})
        WITH ORDINALITY AS each (start, head, body, head_sum, body_sum, index)
    )
    INSERT INTO ${entries} (world, generation, position, head_sum, body_sum, head, body)
    SELECT $1::int8, $3::int8, $4::int8 + added.index, added.head_sum, added.body_sum,
      convert_from(substring(${texts}::bytea FROM added.start FOR added.head), 'UTF8'),
      convert_from(substring(${texts}::bytea FROM added.start + added.head FOR added.body), 'UTF8')`
}

/** All texts in one piece, and where each begins: as an array of texts each quote of their JSON would be escaped, and read again. */
function pack(rows: readonly EntryRow[]): readonly unknown[] {
  const pieces: Buffer[] = []
  const columns: [number[], number[], number[], number[], number[]] = [[], [], [], [], []]
  let start = 1
  for (const { head, body, head_sum, body_sum } of rows) {
    const [headBytes, bodyBytes] = [Buffer.from(head), Buffer.from(body)]
    pieces.push(headBytes, bodyBytes)
    const values = [start, headBytes.length, bodyBytes.length, head_sum, body_sum]
    for (const [index, column] of columns.entries()) column.push(values[index] ?? 0)
    start += headBytes.length + bodyBytes.length
  }
  return [Buffer.concat(pieces), ...columns.map((column) => `{${column.join(',')}}`)]
}

import type { StoreHead } from '../disk.ts'
import type { Sql } from '../sql.ts'

/** The least number of earlier heads that the store keeps. If the head file is outdated, its head must be one of these heads. */
const KEPT_STATES = 65_536

export function newestHead(sql: Sql): StoreHead {
  return (
    sql.get<StoreHead>('SELECT length, sum FROM heads ORDER BY length DESC LIMIT 1') ?? { length: 0, sum: 0 }
  )
}

/** Returns true if the store once had this head, or if the head is too old to compare. */
export function hasHead(sql: Sql, { length, sum }: StoreHead): boolean {
  if (length === 0 || length < newestHead(sql).length - KEPT_STATES) return true
  return sql.get('SELECT 1 FROM heads WHERE length = ? AND sum = ?', [length, sum]) !== undefined
}

export function putHead(sql: Sql, { length, sum }: StoreHead, before: StoreHead): void {
  sql.run('INSERT OR REPLACE INTO heads (length, sum) VALUES (?, ?)', [length, sum])
  // Removes old heads only now and then, because each removal writes another page.
  if (Math.floor(length / KEPT_STATES) > Math.floor(before.length / KEPT_STATES))
    sql.run('DELETE FROM heads WHERE length < ?', [length - KEPT_STATES])
}

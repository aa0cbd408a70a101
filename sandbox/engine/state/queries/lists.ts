import type { StoredWorld } from './world.ts'

type ListTable = 'jobs' | 'payments' | 'crafted'

export function countRows(world: StoredWorld, table: ListTable): number {
  return world.value(`SELECT coalesce(max(ordinal) + 1, 0) FROM ${table} WHERE world = ?`)
}

export function idsBeginning(world: StoredWorld, table: ListTable, start: string): string[] {
  const text = `SELECT id FROM ${table} WHERE world = ? AND id >= ? AND id < ? ORDER BY ordinal`
  return world.column<string>(text, [start, `${start}\u{10FFFF}`])
}

export function createDueView(world: StoredWorld, table: 'jobs' | 'payments') {
  return {
    /** Returns the ordinals of all rows that are due in a time range, ordered by due time. */
    due: (after = -Number.MAX_VALUE, until = Number.MAX_VALUE) =>
      world.column<number>(
        `SELECT ordinal FROM ${table} WHERE world = ? AND next_due_at > ? AND next_due_at <= ?
         ORDER BY next_due_at, ordinal`,
        [after, until],
      ),
    nextDueAt: (after: number) =>
      world.value<number | null>(
        `SELECT MIN(next_due_at) FROM ${table} WHERE world = ? AND next_due_at > ?`,
        [after],
      ) ?? undefined,
  }
}

import type { Sql } from '../sql.ts'

/** Where the crafted deliveries of one world are in the history. */
export interface Crafted {
  add(id: string, position: number): void
  count(): number
  position(id: string): number | undefined
  /** From the `start`th, counted from 0, to before the `end`th. */
  positionsBetween(start: number, end: number): readonly number[]
}

interface PositionRow {
  readonly position: number
}

export function createCrafted(sql: Sql, world: number): Crafted {
  const insert = sql(`
    INSERT INTO crafted (world, ordinal, id, position)
    VALUES (?1, (SELECT coalesce(max(ordinal) + 1, 0) FROM crafted WHERE world = ?1), ?2, ?3)
    ON CONFLICT (world, id) DO UPDATE SET position = excluded.position`)
  const selectCount = sql<{ count: number }>(
    'SELECT coalesce(max(ordinal) + 1, 0) AS count FROM crafted WHERE world = ?',
  )
  const select = sql<PositionRow>('SELECT position FROM crafted WHERE world = ? AND id = ?')
  const selectBetween = sql<PositionRow>(
    'SELECT position FROM crafted WHERE world = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal',
  )
  return {
    add: (id, position) => insert.run(world, id, position),
    count: () => selectCount.get(world)?.count ?? 0,
    position: (id) => select.get(world, id)?.position,
    positionsBetween: (start, end) => selectBetween.all(world, start, end).map(({ position }) => position),
  }
}

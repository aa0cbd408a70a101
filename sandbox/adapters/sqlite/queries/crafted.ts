import { readIfWhole } from '../../../engine/state/storage-error.ts'
import type { CraftedRecord, CraftedView } from '../../../engine/state/view.ts'
import type { World } from './world.ts'
import { readEntry } from './history.ts'

interface Row {
  readonly position: number
}

export function addCrafted(world: World, id: string, position: number): void {
  world.run(
    `INSERT INTO crafted (world, ordinal, id, position)
     VALUES (?1, (SELECT coalesce(max(ordinal) + 1, 0) FROM crafted WHERE world = ?1), ?2, ?3)
     ON CONFLICT (world, id) DO UPDATE SET position = excluded.position`,
    [id, position],
  )
}

export function createCraftedView(world: World): CraftedView {
  function read({ position }: Row): CraftedRecord {
    const { head, body } = readEntry(world, position)
    return { at: head.at, crafted: JSON.parse(body) }
  }
  return {
    craftedCount: () =>
      world.get<{ count: number }>(
        'SELECT coalesce(max(ordinal) + 1, 0) AS count FROM crafted WHERE world = ?',
      )?.count ?? 0,
    craftedBetween: (start, end) =>
      world
        .all<Row>(
          'SELECT position FROM crafted WHERE world = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal',
          [start, end],
        )
        .flatMap((row) => readIfWhole(() => read(row)) ?? []),
    crafted(id) {
      const row = world.get<Row>('SELECT position FROM crafted WHERE world = ? AND id = ?', [id])
      return row && read(row)
    },
  }
}

import { readIfWhole } from '../../../engine/state/storage-error.ts'
import type { CraftedRecord, CraftedView } from '../../../engine/state/view.ts'
import type { World } from './world.ts'
import { readEntry } from './history.ts'

export function addCrafted(world: World, id: string, position: number): void {
  world.run(
    `INSERT INTO crafted (world, ordinal, id, position)
     VALUES (?1, (SELECT coalesce(max(ordinal) + 1, 0) FROM crafted WHERE world = ?1), ?2, ?3)
     ON CONFLICT (world, id) DO UPDATE SET position = excluded.position`,
    [id, position],
  )
}

export function createCraftedView(world: World): CraftedView {
  function read(position: number): CraftedRecord {
    const { head, body } = readEntry(world, position)
    return { at: head.at, crafted: JSON.parse(body) }
  }
  return {
    craftedCount: () => world.value('SELECT coalesce(max(ordinal) + 1, 0) FROM crafted WHERE world = ?'),
    craftedBetween: (start, end) =>
      world
        .column<number>(
          'SELECT position FROM crafted WHERE world = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal',
          [start, end],
        )
        .flatMap((position) => readIfWhole(() => read(position)) ?? []),
    crafted(id) {
      const text = 'SELECT position FROM crafted WHERE world = ? AND id = ?'
      const position = world.value<number | undefined>(text, [id])
      return position === undefined ? undefined : read(position)
    },
  }
}

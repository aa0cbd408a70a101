import { readIfWhole } from '../storage-error.ts'
import type { CraftedDelivery } from '../entries.ts'
import { countRows } from './lists.ts'
import type { StoredWorld } from './world.ts'
import { readEntry } from './history.ts'

export interface CraftedRecord {
  readonly at: number
  readonly crafted: CraftedDelivery
}

export function addCrafted(world: StoredWorld, id: string, position: number): void {
  world.run(
    `INSERT INTO crafted (world, ordinal, id, position)
     VALUES (?, (SELECT coalesce(max(ordinal) + 1, 0) FROM crafted WHERE world = ?), ?, ?)
     ON CONFLICT (world, id) DO UPDATE SET position = excluded.position`,
    [world.number, id, position],
  )
}

export function createCraftedView(world: StoredWorld) {
  function read(position: number): CraftedRecord {
    const { head, body } = readEntry(world, position)
    return { at: head.at, crafted: JSON.parse(body) }
  }
  return {
    craftedCount: () => countRows(world, 'crafted'),
    /** Returns a range of manual deliveries, without damaged deliveries. `start` is zero-based, and `end` is exclusive. */
    craftedBetween: (start: number, end: number) =>
      world
        .column<number>(
          'SELECT position FROM crafted WHERE world = ? AND ordinal >= ? AND ordinal < ? ORDER BY ordinal',
          [start, end],
        )
        .flatMap((position) => readIfWhole(() => read(position)) ?? []),
    crafted(id: string) {
      const text = 'SELECT position FROM crafted WHERE world = ? AND id = ?'
      const position = world.value<number | undefined>(text, [id])
      return position === undefined ? undefined : read(position)
    },
  }
}

import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../../../sandbox/engine/state/entries.ts'
import { DEFAULT_WORLD } from '../../../../sandbox/engine/state/world-directory.ts'

/** The default world at a moment: its number, and the tick of each of its entries. */
export interface TickedWorld {
  readonly world: number
  readonly ticks: readonly number[]
}

export const NO_WORLD: TickedWorld = { world: 0, ticks: [] }

/** Notes when entries were written. */
export interface EntryTicks {
  /** Returns a function that adds the entries of the transaction that was just committed. */
  open(database: DatabaseSync): (before: TickedWorld) => TickedWorld
}

const SELECT_ROWS =
  'SELECT kind, at, head, body FROM history WHERE world = ? AND position > ? ORDER BY position'

export function createEntryTicks(tick: () => number): EntryTicks {
  /** By place and content: an entry that a restored world has where it was before is as old as it was. */
  const tickByEntry = new Map<string, number>()

  return {
    open(database) {
      const selectRows = database.prepare(SELECT_ROWS)
      const selectWorld = database.prepare('SELECT number FROM worlds WHERE name = ?')
      return (before) => {
        const at = tick()
        const world = Number(selectWorld.get(DEFAULT_WORLD)?.['number'] ?? 0)
        const isSame = world === before.world
        const ticks = isSame ? [...before.ticks] : []
        for (const row of selectRows.all(world, ticks.length)) {
          const key = `${ticks.length} ${JSON.stringify(row)}`
          const own = isSame ? at : (tickByEntry.get(key) ?? at)
          tickByEntry.set(key, own)
          ticks.push(own)
        }
        return { world, ticks }
      }
    },
  }
}

/** Reads the entries of the default world, in the plainest way: nothing is shared with the queries of the store. */
export function readDefaultWorld(database: DatabaseSync): readonly Entry[] {
  const world = database.prepare('SELECT number FROM worlds WHERE name = ?').get(DEFAULT_WORLD)
  const rows = database.prepare(SELECT_ROWS).all(world?.['number'] ?? 0, 0)
  return rows.map(({ kind, at, head, body }) => {
    const rest: object = JSON.parse(String(head))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the store writes nothing else
    return { head: { kind, at, ...rest }, body: String(body) } as Entry
  })
}

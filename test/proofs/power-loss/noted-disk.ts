import type { DatabaseSync } from 'node:sqlite'
import type { Disk } from '../../../sandbox/engine/state/disk.ts'
import type { Entry } from '../../../sandbox/engine/state/entries.ts'
import { toEntries } from '../../support/stores.ts'
import { DEFAULT_WORLD } from '../../../sandbox/engine/state/world-record.ts'
import type { Notes } from './disk-model.ts'
import { sumOf } from './promises.ts'

export type AddNote = <Kind extends keyof Notes>(kind: Kind, about: Notes[Kind]) => void

/** The counter of a scenario's default worlds. A reset or restore starts a new world. */
export interface DefaultWorlds {
  readonly present: number
  noteTransactions(disk: Disk, database: DatabaseSync): Disk
}

export function countDefaultWorlds(note: AddNote): DefaultWorlds {
  let world = 0
  return {
    get present() {
      return world
    },
    noteTransactions(disk, database) {
      let number = numberOf(database)
      let length = entriesAfter(database, number, 0).length
      return {
        ...disk,
        check() {
          disk.check()
          if (!database.isTransaction) return
          const before = number
          number = numberOf(database)
          if (number !== before) length = 0
          const sums = entriesAfter(database, number, length).map(sumOf)
          if (number !== before) note('world', { world: ++world, sums })
          else if (sums.length > 0) note('batch', { world, from: length + 1, sums })
          length += sums.length
        },
      }
    },
  }
}

function numberOf(database: DatabaseSync): number {
  return Number(
    database.prepare('SELECT number FROM worlds WHERE name = ?').get(DEFAULT_WORLD)?.['number'] ?? 0,
  )
}

function entriesAfter(database: DatabaseSync, number: number, length: number): readonly Entry[] {
  const select = 'SELECT head, body FROM history WHERE world = ? AND position > ? ORDER BY position'
  return toEntries(database.prepare(select).all(number, length))
}

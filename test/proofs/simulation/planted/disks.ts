import type { DatabaseSync } from 'node:sqlite'
import type { Disk } from '../../../../sandbox/adapters/sqlite/disk.ts'
import { withMembers, type PlantedBug } from './planted-bug.ts'

/** Bugs in how transactions are kept. The power-loss proof plants them in a real store. */
export const DISK_BUGS: readonly PlantedBug[] = [
  {
    id: 'sync-ignored',
    about: 'The disk is not waited for.',
    plant: { disk: (disk) => withMembers(disk, { sync: () => Promise.resolve() }) },
  },
  {
    id: 'sync-of-later-writes',
    about: 'Transactions that are committed during a sync are acknowledged when this sync ends.',
    plant: { disk: acknowledgeLaterWrites },
  },
  {
    id: 'sync-of-entries-only',
    about: 'A restored world is acknowledged before it is durable: its last transaction adds no entries.',
    plant: { disk: skipSyncsWithoutEntries },
  },
  {
    id: 'forgotten-after-full-disk',
    about: 'After a failed sync nothing is written again.',
    plant: { disk: (disk) => withMembers(disk, { recover: () => {} }) },
  },
  {
    id: 'start-loses-attempt',
    about: 'A start removes the row of the last attempt from its table.',
    plant: { disk: loseLastAttempt },
  },
]

/** A sync ends at once if the one before it ended when nothing more had been written. */
function acknowledgeLaterWrites(disk: Disk): Disk {
  let writes = 0
  let claimed = 0
  return withMembers(disk, {
    written(characters) {
      disk.written(characters)
      writes++
    },
    async sync(head) {
      if (writes === claimed) return
      await disk.sync(head)
      claimed = writes
    },
  })
}

function skipSyncsWithoutEntries(disk: Disk): Disk {
  let synced = -1
  return withMembers(disk, {
    async sync(head) {
      if (head.length === synced) return
      await disk.sync(head)
      synced = head.length
    },
  })
}

function loseLastAttempt(disk: Disk, database: DatabaseSync): Disk {
  database.exec('DELETE FROM attempts WHERE position = (SELECT max(position) FROM attempts)')
  return disk
}

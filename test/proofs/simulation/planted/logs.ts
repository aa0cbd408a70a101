import type { Log } from '../../../../sandbox/engine/state/log.ts'
import { withMembers, type PlantedBug } from './planted-bug.ts'

/** Bugs in how the log is kept. The power-loss proof plants them in a real store. */
export const LOG_BUGS: readonly PlantedBug[] = [
  {
    id: 'sync-of-later-writes',
    about: 'What is written during a sync is acknowledged when this sync ends.',
    plant: { log: acknowledgeLaterWrites },
  },
  {
    id: 'forgotten-after-full-disk',
    about: 'After a failed sync nothing is written again.',
    plant: { log: (log) => withMembers(log, { recover: () => {} }) },
  },
  {
    id: 'checkpoint-skips-entry',
    about: 'A start skips the first entry after its checkpoint.',
    plant: { log: skipEntryAfterCheckpoint },
  },
  {
    id: 'restore-unsynced',
    about: 'A restored world is acknowledged before it is safe from a loss of power.',
    plant: { log: acknowledgeUnsyncedRestores },
  },
]

/** A log whose sync ends at once if the sync before it ended when nothing more had been written. */
function acknowledgeLaterWrites(log: Log): Log {
  const { sync } = log
  if (!sync) return log
  let claimed = 0
  return withMembers(log, {
    async sync() {
      if (log.length === claimed) return
      await sync()
      claimed = log.length
    },
  })
}

function acknowledgeUnsyncedRestores(log: Log): Log {
  const { sync } = log
  if (!sync) return log
  let isReplaced = false
  return withMembers(log, {
    replace(entries) {
      log.replace?.(entries)
      isReplaced = true
    },
    append(entries) {
      log.append(entries)
      isReplaced = false
    },
    sync: () => (isReplaced ? Promise.resolve() : sync()),
  })
}

function skipEntryAfterCheckpoint(log: Log): Log {
  return withMembers(log, {
    readCheckpoint() {
      const found = log.readCheckpoint()
      return found && { ...found, position: Math.min(log.length, found.position + 1) }
    },
  })
}

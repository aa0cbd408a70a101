import { createMemoryLog, StorageError, type Log } from '../../sandbox/engine/state/log.ts'

/** A log whose `sync` fails, while what was appended stays in it. */
interface FailingSync {
  readonly log: Log
  /** Whether `sync` and `recover` find the disk full. */
  isFull: boolean
}

export function createFailingSync(): FailingSync {
  const memory = createMemoryLog()
  const refuse = () => {
    if (disk.isFull) throw new StorageError('full', 'The store is full')
  }
  const disk: FailingSync = {
    isFull: false,
    log: {
      ...memory,
      get length() {
        return memory.length
      },
      async sync() {
        await new Promise((resolve) => setImmediate(resolve))
        refuse()
      },
      recover: refuse,
    },
  }
  return disk
}

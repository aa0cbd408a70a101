import { createMemoryLog, StorageError, type Log } from '../../sandbox/engine/state/log.ts'

/** A log of which the disk fails who waits for it, though what was written is there. */
interface LateDisk {
  readonly log: Log
  /** Whether it has no room for who waits, and who asks for room. */
  isFull: boolean
}

export function createLateDisk(): LateDisk {
  const memory = createMemoryLog()
  const refuse = () => {
    if (disk.isFull) throw new StorageError('full', 'The store is full')
  }
  const disk: LateDisk = {
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

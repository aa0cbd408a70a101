import { join } from 'node:path'
import { openSqliteLog } from '../../../sandbox/adapters/sqlite/sqlite-log.ts'
import type { Entry } from '../../../sandbox/engine/state/entries.ts'
import type { Log, StagedEntries } from '../../../sandbox/engine/state/log.ts'
import type { DiskOptions, SimulatedDisk } from '../simulation/world/crashing-log.ts'
import { copyStoreFiles, readStoreFiles, tearFiles, writeStoreFiles, type StoreFiles } from './store-files.ts'

/** A disk with the store as it is in a data folder: what a process leaves that is killed is opened by the next one. */
export interface SqliteDisk extends SimulatedDisk {
  /** How many writes were made or begun. */
  readonly writes: number
  /** Closes what killed processes had open. */
  dispose(): void
}

export interface SqliteDiskOptions extends DiskOptions {
  readonly folder: string
  /** How much is there of a write in whose middle the process ends. */
  readonly tornShare: number
}

export function createSqliteDisk({ folder, tick, sync, tornShare }: SqliteDiskOptions): SqliteDisk {
  const open = new Set<Log>()
  const ticks: number[] = []
  let process = 0
  let writes = 0
  let path = join(folder, '0', 'store.sqlite')
  /** What the next process finds, where that is not what the last one has open. */
  let left: StoreFiles | undefined
  let present: Log | undefined

  /** Makes the write, or as much of it as the process lives for; whether it was made. */
  function write(make: () => void): boolean {
    writes++
    const side = disk.onWrite(writes)
    const before = side === 'middle' ? readStoreFiles(path) : undefined
    if (side !== 'before') make()
    if (before) left = tearFiles(before, readStoreFiles(path), tornShare)
    if (side !== 'write') process++
    return side === 'write' || side === 'after'
  }

  /** All of a write is written at once. */
  function addTicks(count: number): void {
    const at = tick()
    for (let each = 0; each < count; each++) ticks.push(at)
  }

  /** The log for one process: when that is gone, what it writes is lost, and it does not notice. */
  function openFor(owner: number, log: Log): Log {
    const lost: Entry[] = []
    const isGone = () => owner !== process

    function stage(): StagedEntries {
      let staged: StagedEntries | undefined
      let length = 0
      if (!isGone()) write(() => (staged = log.stage?.()))
      return {
        add(entries) {
          if (!isGone() && write(() => staged?.add(entries))) length += entries.length
        },
        publish() {
          if (isGone() || !write(() => staged?.publish())) return
          ticks.length = 0
          addTicks(length)
        },
        discard: () => (isGone() ? undefined : staged?.discard()),
      }
    }

    const { sync: _, syncNow: __, ...unsynced } = log
    return {
      ...unsynced,
      get length() {
        return log.length + lost.length
      },
      append(entries) {
        const { length } = log
        if (!isGone() && write(() => log.append(entries))) addTicks(entries.length)
        if (log.length === length) lost.push(...entries)
      },
      stage,
      replace(entries) {
        if (isGone() || !write(() => log.replace?.(entries))) return
        ticks.length = 0
        addTicks(entries.length)
      },
      read: (position) => lost[position - log.length - 1] ?? log.read(position),
      ...(sync && { sync, syncNow() {} }),
      close() {
        if (isGone()) return
        log.close()
        open.delete(log)
      },
    }
  }

  const disk: SqliteDisk = {
    fullFor: 0,
    fullAfter: 0,
    failedSyncs: [],
    checkpointReads: [],
    onWrite: () => 'write',
    get length() {
      return ticks.length
    },
    get writes() {
      return writes
    },
    entries: () =>
      ticks.flatMap((at, index) => {
        const entry = present?.read(index + 1)
        return entry ? [{ ...entry, position: index + 1, tick: at }] : []
      }),
    cutOff() {
      process++
    },
    losePower() {
      throw new Error('Cannot lose power: what SQLite has written is in the memory of the machine')
    },
    open() {
      process++
      const next = join(folder, String(process))
      if (left) writeStoreFiles(left, next)
      else copyStoreFiles(path, next)
      left = undefined
      path = join(next, 'store.sqlite')
      present = openSqliteLog(path)
      open.add(present)
      if (present.length !== ticks.length)
        throw new Error(`The store has ${present.length} entries, and ${ticks.length} were written`)
      return openFor(process, present)
    },
    dispose() {
      for (const log of open) log.close()
      open.clear()
    },
  }
  return disk
}

import { basename, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Disk } from '../../../sandbox/engine/state/disk.ts'
import { openDisk } from '../../../sandbox/adapters/sqlite/disk.ts'
import { openSingleStore } from '../../../sandbox/adapters/sqlite/store-database.ts'
import { verifyStore } from '../../../sandbox/adapters/sqlite/verify-store.ts'
import { StorageError } from '../../../sandbox/engine/state/storage-error.ts'
import type { Store } from '../../../sandbox/engine/state/store.ts'
import { copyStoreFiles, STORE_SUFFIXES, withStoreCopy } from '../../support/stores.ts'
import { createEntryTicks, NO_WORLD, readDefaultWorld } from '../simulation/world/durable-tables.ts'
import { withTicks } from '../simulation/world/history.ts'
import type { DiskOptions, OpenOptions, SimulatedDisk } from '../simulation/world/simulated-disk.ts'

/** A disk with the files of a data folder. After a kill, the next process opens the files that the killed process left. */
export interface SqliteDisk extends SimulatedDisk {
  /** The number of transactions, including incomplete transactions. */
  readonly writes: number
  dispose(): void
}

export interface SqliteDiskOptions extends Omit<DiskOptions, 'sync'> {
  readonly folder: string
  /** The share of a transaction that reaches the file if the process is killed during the write. */
  readonly tornShare: number
}

type OnWrite = SimulatedDisk['onWrite']

export function createSqliteDisk({ folder, tick, tornShare }: SqliteDiskOptions): SqliteDisk {
  const entryTicks = createEntryTicks(tick)
  const open = new Map<DatabaseSync, Store>()
  let state = NO_WORLD
  let process = 0
  let isKilled = false
  let writes = 0
  let path = join(folder, '0', 'store.sqlite')
  /** The files for the next process. Undefined if the next process uses the currently open files. */
  let left: StoreFiles | undefined
  let present: DatabaseSync | undefined

  function openFor(owner: number, database: DatabaseSync, onWrite: OnWrite): Disk {
    const real = openDisk(path, database)
    const addTicks = entryTicks.open(database)
    let side: ReturnType<OnWrite> = 'write'
    let before: StoreFiles | undefined

    function refuseDead(): void {
      if (owner !== process)
        throw new StorageError('gone', `Cannot write store "${path}": the process is dead`)
    }

    function end(files: StoreFiles): void {
      left = files
      isKilled = true
      process++
    }

    return {
      ...real,
      check() {
        refuseDead()
        real.check()
        if (!database.isTransaction) return
        writes++
        side = onWrite(writes)
        before = side === 'middle' ? readStoreFiles(path) : undefined
        if (side === 'before') end(readStoreFiles(path))
        refuseDead()
      },
      written(characters) {
        if (before) return end(tearFiles(before, readStoreFiles(path), tornShare))
        state = addTicks(state)
        if (side === 'after') return end(readStoreFiles(path))
        real.written(characters)
      },
      // The sync is synchronous, so that runs are repeatable.
      async sync(head) {
        refuseDead()
        real.syncNow(head)
      },
      syncNow(head) {
        refuseDead()
        real.syncNow(head)
      },
      closeWal() {
        real.closeWal()
        open.delete(database)
      },
    }
  }

  function openNext({ soon, plant = (plain) => plain }: OpenOptions, onWrite: OnWrite): Store {
    const owner = ++process
    isKilled = false
    const next = join(folder, String(process))
    if (left) writeStoreFiles(left, next)
    else copyStoreFiles(path, next)
    left = undefined
    path = join(next, 'store.sqlite')
    let opened: DatabaseSync | undefined
    const store = openSingleStore(path, {
      soon,
      openDisk(_, database) {
        opened = database
        return plant(openFor(owner, database, onWrite), database)
      },
    })
    if (opened) open.set(opened, store)
    present = opened
    if (store.length !== state.ticks.length)
      throw new Error(`The store has ${store.length} entries, and ${state.ticks.length} were written`)
    return store
  }

  const disk: SqliteDisk = {
    failFor: 0,
    failAfter: 0,
    failure: 'full',
    failedSyncs: [],
    checkpoints: [],
    onWrite: () => 'write',
    get length() {
      return state.ticks.length
    },
    get world() {
      return state.world
    },
    get writes() {
      return writes
    },
    entries() {
      // Entries of the open transaction are not on the disk.
      const entries = present ? readDefaultWorld(present).slice(0, state.ticks.length) : []
      return withTicks(entries, state.ticks)
    },
    verify: () => withStoreCopy(path, (copy) => verifyStore(copy).problems),
    cutOff() {
      process++
    },
    losePower() {
      throw new Error('Cannot lose power: what SQLite has written is in the memory of the machine')
    },
    open(options) {
      try {
        return openNext(options, (number) => disk.onWrite(number))
      } catch (error) {
        if (!isKilled) throw error
        // The process was killed while it was opening its store, so the next process opens the store.
        return openNext(options, () => 'write')
      }
    },
    dispose() {
      for (const store of open.values()) closeQuietly(store)
    },
  }
  return disk
}

function closeQuietly(store: Store): void {
  try {
    store.close()
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}

type StoreFiles = ReadonlyMap<string, Buffer>

function readStoreFiles(path: string): StoreFiles {
  return new Map(
    STORE_SUFFIXES.map((suffix) => path + suffix)
      .filter((file) => existsSync(file))
      .map((file) => [basename(file), readFileSync(file)]),
  )
}

function writeStoreFiles(files: StoreFiles, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
}

/**
 * Returns the files as an interrupted write leaves them: the "-wal" file contains only a share of the changes. SQLite writes a
 * transaction only to the "-wal" file. The head file changes later, at the sync.
 */
function tearFiles(before: StoreFiles, after: StoreFiles, share: number): StoreFiles {
  return new Map(
    [...after].map(([name, bytes]) => {
      const earlier = before.get(name) ?? Buffer.alloc(0)
      return [name, name.endsWith('-wal') ? tear(earlier, bytes, share) : earlier]
    }),
  )
}

function tear(before: Buffer, after: Buffer, share: number): Buffer {
  const first = firstDifference(before, after)
  const end = first + Math.floor((endOfDifference(before, after) - first) * share)
  return Buffer.concat([after.subarray(0, end), before.subarray(end)])
}

function firstDifference(before: Buffer, after: Buffer): number {
  const most = Math.min(before.length, after.length)
  for (let index = 0; index < most; index++) if (before[index] !== after[index]) return index
  return most
}

/** Returns the position after the last changed byte. Old content can remain at the end of the file. */
function endOfDifference(before: Buffer, after: Buffer): number {
  let end = after.length
  while (end > 0 && before[end - 1] === after[end - 1]) end--
  return end
}

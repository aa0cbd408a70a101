import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { MEMORY } from '../../../../sandbox/adapters/sqlite/database.ts'
import type { Disk } from '../../../../sandbox/engine/state/disk.ts'
import { openSingleStore } from '../../../../sandbox/adapters/sqlite/store-database.ts'
import { verifyStore } from '../../../../sandbox/adapters/sqlite/verify-store.ts'
import { isTemporary, StorageError } from '../../../../sandbox/engine/state/storage-error.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import { createDurableTables, createEntryTicks, NO_WORLD, readDefaultWorld } from './durable-tables.ts'
import { withTicks, type WrittenEntry } from './history.ts'

export interface SimulatedDisk {
  open(options: OpenOptions): Store
  entries(): readonly WrittenEntry[]
  readonly length: number
  verify(): readonly string[]
  /** The number of the world. The number changes with each restore and reset. */
  readonly world: number
  cutOff(): void
  losePower(share: number): void
  failFor: number
  failAfter: number
  failure: DiskFailure
  readonly failedSyncs: readonly number[]
  readonly checkpoints: readonly number[]
  /** Called for each transaction. Decides whether the process ends before, during or after the transaction. */
  onWrite: (number: number) => 'write' | CrashSide
}

export type DiskFailure = 'full' | 'failed'

export type CrashSide = 'before' | 'middle' | 'after'

export interface DiskOptions {
  readonly tick: () => number
  /** Waits until data is durable. By default, all data is durable immediately. */
  readonly sync?: (() => Promise<void>) | undefined
}

export interface OpenOptions {
  readonly soon: (run: () => void) => void
  readonly plant?: ((disk: Disk, database: DatabaseSync) => Disk) | undefined
}

const CHECKPOINT_DISTANCE = 40

export function createSimulatedDisk({ tick, sync }: DiskOptions): SimulatedDisk {
  const tables = createDurableTables(NO_WORLD, sync === undefined)
  const entryTicks = createEntryTicks(tick)
  /** True after a failed sync. A failed sync discards unsynced transactions. */
  let isForgetting = false
  let writes = 0
  let process = 0
  const failedSyncs: number[] = []
  const checkpoints: number[] = []

  const disk: SimulatedDisk = {
    failFor: 0,
    failAfter: 0,
    failure: 'full',
    failedSyncs,
    checkpoints,
    onWrite: () => 'write',
    get length() {
      return tables.state.ticks.length
    },
    get world() {
      return tables.state.world
    },
    entries: () => withTicks(tables.read(readDefaultWorld), tables.state.ticks),
    verify: () => tables.read(verifyTables),
    cutOff() {
      process++
      tables.detach()
    },
    losePower(share) {
      disk.cutOff()
      tables.losePower(share)
      isForgetting = false
    },
    open({ soon, plant = (plain) => plain }) {
      disk.cutOff()
      // The next process does not know about the failed sync.
      isForgetting = false
      const owner = process
      return openSingleStore(MEMORY, {
        soon,
        openDisk(_, database) {
          tables.attach(database)
          return plant(openFor(owner, database), database)
        },
      })
    },
  }

  function refuseIfBad(onRefused = () => {}): void {
    if (disk.failFor === 0) return
    if (disk.failAfter > 0) {
      disk.failAfter--
      return
    }
    disk.failFor--
    onRefused()
    throw new StorageError(disk.failure, `Cannot write the simulated store: the disk is ${disk.failure}`)
  }

  function openFor(owner: number, database: DatabaseSync): Disk {
    const addTicks = entryTicks.open(database)
    let side: ReturnType<SimulatedDisk['onWrite']> = 'write'
    let sinceCheckpoint = 0

    function refuseDead(): void {
      if (owner !== process)
        throw new StorageError('gone', 'Cannot write the simulated store: the process is dead')
    }

    function keepSynced(covered: number): void {
      refuseDead()
      refuseIfBad(() => {
        failedSyncs.push(tick())
        isForgetting = true
      })
      if (!isForgetting) tables.sync(covered)
    }

    function checkpoint(): void {
      if (++sinceCheckpoint < CHECKPOINT_DISTANCE) return
      sinceCheckpoint = 0
      try {
        refuseIfBad()
      } catch (error) {
        // SQLite retries the checkpoint later.
        if (error instanceof StorageError && isTemporary(error)) return
        throw error
      }
      tables.sync(tables.writes)
      checkpoints.push(tick())
    }

    return {
      check() {
        refuseDead()
        if (!database.isTransaction) return
        refuseIfBad()
        side = disk.onWrite(writes + 1)
        if (side === 'before' || side === 'middle') process++
        refuseDead()
      },
      written() {
        writes++
        tables.add(addTicks(tables.state))
        if (side === 'after') process++
        else checkpoint()
      },
      async sync() {
        if (!sync) return
        const covered = tables.writes
        await sync()
        keepSynced(covered)
      },
      syncNow() {
        if (sync) keepSynced(tables.writes)
      },
      recover() {
        refuseDead()
        refuseIfBad()
        // After a failed sync, the store writes all data again.
        isForgetting = false
        tables.sync(tables.writes)
      },
      closeWal: () => tables.close(database),
      closeHead() {},
    }
  }

  return disk
}

/** Verifies the database as `doctor --store` does, which needs a file. */
function verifyTables(database: DatabaseSync): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-simulated-'))
  try {
    const path = join(folder, 'store.sqlite')
    writeFileSync(path, database.serialize())
    return verifyStore(path).problems
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export type CrashPoint =
  | { readonly after: 'events'; count: number }
  | { readonly after: 'writes'; count: number; readonly side: CrashSide }

export interface Cut {
  readonly isCut: boolean
  now(): void
  /** Plans a crash. Undefined removes the planned crash. */
  at(point: CrashPoint | undefined): void
  /** Called before each event. Returns true if the process was killed. */
  atEvent(): boolean
  /** Called for each transaction. */
  atWrite(): 'write' | CrashSide
  renew(): void
}

export function createCut(): Cut {
  let point: CrashPoint | undefined
  let isCut = false
  return {
    get isCut() {
      return isCut
    },
    now() {
      isCut = true
    },
    at(next) {
      point = next && { ...next }
    },
    atEvent() {
      if (point?.after === 'events' && point.count-- <= 0) isCut = true
      return isCut
    },
    atWrite() {
      if (point?.after !== 'writes' || point.count-- > 0) return 'write'
      isCut = true
      return point.side
    },
    renew() {
      isCut = false
    },
  }
}

export type Interruption =
  | {
      readonly kind: 'crash'
      readonly point: CrashPoint
      readonly loss: 'killed' | 'power-lost'
      readonly share: number
    }
  | { readonly kind: 'bad-disk'; readonly failure: DiskFailure; readonly after: number }

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
import type { WrittenEntry } from './history.ts'

/** The disk of a store. Its content outlives the processes. */
export interface SimulatedDisk {
  /** Opens the store in a new process. */
  open(options: OpenOptions): Store
  /** Returns the stored entries of the default world. */
  entries(): readonly WrittenEntry[]
  readonly length: number
  /** Reads every row. Returns a sentence for each problem. */
  verify(): readonly string[]
  /** The number of the default world. It changes with each restore and reset. */
  readonly world: number
  /** Rejects later writes of the process. Its reads continue. */
  cutOff(): void
  /** Loses unsynced transactions, except the first share of them. The process is cut off. */
  losePower(share: number): void
  /** The number of transactions, syncs, checkpoints and tests for space that fail. */
  failFor: number
  /** The number that succeed before. */
  failAfter: number
  /** The kind of failure. */
  failure: DiskFailure
  /** The ticks of failed syncs. Earlier writes exist and may become durable later. */
  readonly failedSyncs: readonly number[]
  /** The ticks of checkpoints, after which everything written is durable. */
  readonly checkpoints: readonly number[]
  /**
   * Called for each transaction with its number, from 1. Chooses whether it is made, or where in it the process ends.
   */
  onWrite: (number: number) => 'write' | CrashSide
}

/** A `full` disk can have space later. A `failed` one ends the process. */
export type DiskFailure = 'full' | 'failed'

/** Before a transaction, in the middle of it, or right after it. */
export type CrashSide = 'before' | 'middle' | 'after'

export interface DiskOptions {
  readonly tick: () => number
  /** Waits for the disk. Defaults to a disk where everything is durable at once. */
  readonly sync?: (() => Promise<void>) | undefined
}

export interface OpenOptions {
  /** Runs a task after the present work. */
  readonly soon: (run: () => void) => void
  /** Plants a bug in the disk. */
  readonly plant?: ((disk: Disk, database: DatabaseSync) => Disk) | undefined
}

/** The number of transactions between checkpoints. */
const CHECKPOINT_DISTANCE = 40

export function createSimulatedDisk({ tick, sync }: DiskOptions): SimulatedDisk {
  const tables = createDurableTables(NO_WORLD, sync === undefined)
  const entryTicks = createEntryTicks(tick)
  /** After a failed sync the disk forgets unsynced transactions, and no later sync covers them. */
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
    entries: () =>
      tables.read(readDefaultWorld).map((entry, index) => ({
        ...entry,
        position: index + 1,
        tick: tables.state.ticks[index] ?? 0,
      })),
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
      // The next process considers all found transactions durable. Only the process with the failed sync knows.
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
        // SQLite moves it later.
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
        // A transaction is there completely or not at all.
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
        // It writes everything again that the disk may have forgotten.
        isForgetting = false
        tables.sync(tables.writes)
      },
      closeWal: () => tables.close(database),
      closeHead() {},
    }
  }

  return disk
}

/** The verification of `doctor --store` needs a file. */
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

/** The end of a process during a command. */
export type CrashPoint =
  | { readonly after: 'events'; count: number }
  | { readonly after: 'writes'; count: number; readonly side: CrashSide }

/** The cut of the present process, done or planned. */
export interface Cut {
  readonly isCut: boolean
  /** Cuts the process off at once. */
  now(): void
  /** Plans the cut. Undefined removes it. */
  at(point: CrashPoint | undefined): void
  /** Called before each event. Returns true if the process was cut off. */
  atEvent(): boolean
  /** Called for each transaction. Returns whether it is made, or where in it the process ends. */
  atWrite(): 'write' | CrashSide
  /** Starts with a new process. */
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

/** An event during the replacement of a world. */
export type Interruption =
  | {
      readonly kind: 'crash'
      readonly point: CrashPoint
      readonly loss: 'killed' | 'power-lost'
      readonly share: number
    }
  /** The disk fails once, after so many transactions and syncs. */
  | { readonly kind: 'bad-disk'; readonly failure: DiskFailure; readonly after: number }

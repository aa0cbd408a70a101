import type { DatabaseSync } from 'node:sqlite'
import type { Durability } from '../../engine/state/store.ts'
import { isTemporary, type StorageError } from '../../engine/state/storage-error.ts'
import type { Disk } from './disk.ts'
import { createStorageState, type StorageState } from './storage-state.ts'
import { createSyncedBatches, emptyBatch, type Batch } from './synced-batches.ts'
import type { StoreHead } from './head-file.ts'

/** Commits everything that is written in one turn as one transaction, and waits for the disk next to the work. */
export interface GroupCommit {
  readonly state: Pick<StorageState, 'problem' | 'onChange' | 'fail'>
  /**
   * Runs `write` in the open transaction, and resolves when it is durable. `emit` is called then, in the order of all writes. Rejects
   * if the transaction is rolled back, as it is if `write` throws.
   */
  add(write: () => Written, durability: Durability, emit?: () => void): Promise<void>
  /** Commits the open transaction. */
  commitNow(): void
  /** Commits it, and waits for the disk. Throws StorageError. */
  flush(): void
  /** Runs `write` in a transaction of its own, after the open one. Throws StorageError. */
  writeNow(write: () => Written): void
  /** Resolves when everything that is committed is durable. Rejects with StorageError. */
  sync(): Promise<void>
  /** Takes changes again if there is room on a disk that was full. */
  recover(): void
}

/** What a write has added to the history. */
export interface Written {
  readonly entries: number
  /** The sum of their checksums. */
  readonly sum: number
  readonly characters: number
}

export interface GroupCommitPorts {
  readonly database: DatabaseSync
  readonly disk: Disk | undefined
  /** Runs a task after the work at hand. */
  readonly soon: (run: () => void) => void
  /** The state of the store at the start. */
  readonly head: StoreHead
  /** Writes the state that the transaction leads to. */
  readonly beforeCommit: (head: StoreHead) => void
  readonly afterRollback: () => void
  /** Returns an error of SQLite as StorageError. */
  readonly toStorageError: (error: unknown) => unknown
}

const NOTHING: Written = { entries: 0, sum: 0, characters: 0 }

export function createGroupCommit(ports: GroupCommitPorts): GroupCommit {
  const { disk, toStorageError } = ports
  const state = createStorageState()
  const transaction = createTransaction(ports, state)
  const batches = createBatches(ports, state, transaction)
  const { commitNow, synced } = batches

  return {
    state,
    add: batches.add,
    commitNow,
    flush() {
      commitNow()
      synced.endNow()
      if (state.problem) throw state.problem
    },
    writeNow(write) {
      commitNow()
      if (state.problem) throw state.problem
      try {
        transaction.begin()
        transaction.add(write())
        transaction.commit()
      } catch (cause) {
        const error = toStorageError(cause)
        transaction.rollBack()
        state.fail(error)
        throw error
      }
      transaction.afterCommit()
      if (state.problem) throw state.problem
    },
    async sync() {
      if (state.problem) throw state.problem
      // One sync at a time: the disk tells one of two that it failed.
      const nothing = emptyBatch('machine')
      synced.add(nothing)
      await nothing.settled.promise
    },
    recover() {
      if (!state.problem || !isTemporary(state.problem)) return
      try {
        disk?.recover(transaction.head)
      } catch (error) {
        return state.fail(toStorageError(error))
      }
      state.clear()
      synced.endRecovered()
    },
  }
}

type Transaction = ReturnType<typeof createTransaction>

/** The open transaction, and the state of the store without it. */
function createTransaction(ports: GroupCommitPorts, state: StorageState) {
  const { database, disk, beforeCommit, afterRollback, toStorageError } = ports
  let { head } = ports
  let written = NOTHING
  let characters = 0
  return {
    get head() {
      return head
    },
    begin: () => database.exec('BEGIN'),
    add(more: Written): void {
      written = plus(written, more)
    },
    /** Throws if it cannot be committed. */
    commit(): void {
      const next = extend(head, written)
      disk?.check()
      beforeCommit(next)
      database.exec('COMMIT')
      head = next
      characters = written.characters
      written = NOTHING
    },
    afterCommit(): void {
      try {
        disk?.check()
        disk?.written(characters)
      } catch (error) {
        state.fail(toStorageError(error))
      }
    },
    rollBack(): void {
      written = NOTHING
      // SQLite ends a transaction by itself where the disk fails.
      if (database.isTransaction) database.exec('ROLLBACK')
      try {
        afterRollback()
      } catch (cause) {
        // Without room, a file without a name cannot be read either.
        state.fail(toStorageError(cause))
      }
    },
  }
}

/** Gathers the writes of a turn, and of a wait for the disk. */
function createBatches(
  { disk, soon, toStorageError }: GroupCommitPorts,
  state: StorageState,
  transaction: Transaction,
) {
  const onFailed = (problem: StorageError) => (batch ? rollBack(batch, problem) : state.fail(problem))
  const synced = createSyncedBatches({ disk, head: () => transaction.head, onSynced: commitOnce, onFailed })
  let batch: Batch | undefined

  function rollBack({ settled }: Batch, error: unknown): void {
    batch = undefined
    transaction.rollBack()
    settled.reject(error)
    state.fail(error)
  }

  function begin(): Batch {
    transaction.begin()
    if (!synced.isSyncing) soon(commitOnce)
    return emptyBatch('process')
  }

  function commitOnce(): void {
    if (!batch) return
    const committing = batch
    try {
      if (state.problem) throw state.problem
      transaction.commit()
    } catch (error) {
      return rollBack(committing, toStorageError(error))
    }
    batch = undefined
    transaction.afterCommit()
    if (state.problem && !isTemporary(state.problem)) committing.settled.reject(state.problem)
    else synced.add(committing)
  }

  const add: GroupCommit['add'] = (write, durability, emit) => {
    const open = (batch ??= begin())
    if (durability === 'machine') open.durability = durability
    if (emit) open.emits.push(emit)
    try {
      transaction.add(write())
    } catch (error) {
      rollBack(open, toStorageError(error))
    }
    return open.settled.promise
  }

  /** A listener to what is durable may write more. */
  function commitNow(): void {
    while (batch) commitOnce()
  }
  return { add, commitNow, synced }
}

function plus(a: Written, b: Written): Written {
  return { entries: a.entries + b.entries, sum: a.sum + b.sum, characters: a.characters + b.characters }
}

/** A power of two: sums stay exact in SQLite and in JavaScript. */
const MODULUS = 2 ** 48

function extend({ length, sum }: StoreHead, written: Written): StoreHead {
  return { length: length + written.entries, sum: (sum + written.sum) % MODULUS }
}

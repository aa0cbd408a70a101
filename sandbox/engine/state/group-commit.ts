import type { DatabaseSync } from 'node:sqlite'
import { createSignal } from '../core/signal.ts'
import { isTemporary, StorageError } from './storage-error.ts'
import type { Disk } from './disk.ts'
import { newestHead, putHead } from './queries/heads.ts'
import type { Sql } from './sql.ts'
import { createBatch, createSyncedBatches, type Batch, type Durability } from './synced-batches.ts'

export type GroupCommit = ReturnType<typeof createGroupCommit>

export interface GroupCommitPorts {
  readonly database: DatabaseSync
  readonly sql: Sql
  readonly disk: Disk | undefined
  /** Runs a task after the present work. */
  readonly soon: (run: () => void) => void
  readonly beforeCommit: () => void
  readonly afterRollback: () => void
  readonly toStorageError: (error: unknown) => unknown
}

/** Commits the writes of one turn in one transaction, and lets other work continue during the sync. */
export function createGroupCommit(ports: GroupCommitPorts) {
  const state = createStorageState()
  const transaction = createTransaction(ports, state)
  const { add, commitNow, written, synced } = createBatches(ports, state, transaction)

  function refuseProblem(): void {
    if (state.problem) throw state.problem
  }

  return {
    state,
    note: transaction.note,
    /**
     * Runs `write` in the open transaction. Resolves when the write is durable, after `emit`. Rejects if the
     * transaction is rolled back.
     */
    add: (write: () => void, durability: Durability, emit?: () => void) =>
      add(write, durability, emit).settled.promise,
    commitNow,
    /** Commits and waits for the disk. Throws StorageError. */
    flush(): void {
      commitNow()
      synced.endNow()
      refuseProblem()
    },
    /** Runs `write` in its own transaction after the open one. Throws StorageError. */
    writeNow(write: () => void): void {
      commitNow()
      refuseProblem()
      const batch = add(write, 'process')
      batch.settled.promise.catch(() => {})
      commitNow()
      if (batch.failure !== undefined) throw batch.failure
      refuseProblem()
    },
    /** Resolves when the newest write is durable. Rejects if its sync failed. Undefined if nothing waits. */
    written,
    /** The same for a disk on another machine. */
    confirmed: () => (ports.disk?.isRemote === true ? written() : undefined),
    /** Resolves when all earlier writes are durable. Rejects with StorageError. */
    async sync(): Promise<void> {
      commitNow()
      refuseProblem()
      // One sync at a time, because the disk reports a failure to only one of two.
      const nothing = createBatch('machine')
      synced.add(nothing)
      await nothing.settled.promise
    },
    check: () => checkFiles(ports, state),
    recover(): void {
      if (!state.problem || !isTemporary(state.problem)) return
      try {
        ports.disk?.recover(transaction.head)
      } catch (error) {
        return state.fail(ports.toStorageError(error))
      }
      state.clear()
      synced.endRecovered()
    },
  }
}

/** Returns the problem of the store, such as deleted or replaced files. */
function checkFiles({ disk, toStorageError }: GroupCommitPorts, state: StorageState) {
  try {
    if (!state.problem) disk?.check()
  } catch (error) {
    state.fail(toStorageError(error))
  }
  return state.problem
}

/** Collects the writes of a turn or of a sync. */
function createBatches({ disk, soon }: GroupCommitPorts, state: StorageState, transaction: Transaction) {
  let open: Batch | undefined
  const synced = createSyncedBatches({
    disk,
    head: () => transaction.head,
    onSynced: commitOnce,
    onFailed: (problem) => (open ? rollBack(open, problem) : state.fail(problem)),
  })

  function begin(): Batch {
    transaction.begin()
    // Writes during a sync wait for its end, so that few large writes replace many small ones.
    if (!synced.isSyncing()) soon(commitOnce)
    return createBatch('process')
  }

  function rollBack(batch: Batch, cause: unknown): void {
    open = undefined
    batch.failure = transaction.rollBack(cause)
    batch.settled.reject(batch.failure)
  }

  function add(write: () => void, durability: Durability, emit?: () => void): Batch {
    const batch = (open ??= begin())
    if (durability === 'machine') batch.durability = durability
    if (emit) batch.emits.push(emit)
    try {
      write()
    } catch (error) {
      rollBack(batch, error)
    }
    return batch
  }

  function commitOnce(): void {
    if (!open) return
    const batch = open
    try {
      transaction.commit()
    } catch (error) {
      return rollBack(batch, error)
    }
    open = undefined
    transaction.afterCommit()
    if (state.problem && !isTemporary(state.problem)) batch.settled.reject(state.problem)
    else synced.add(batch)
  }

  /** A listener may write more. */
  function commitNow(): void {
    while (open) commitOnce()
  }
  const written = () => (open ?? synced.newest())?.settled.promise
  return { add, commitNow, written, synced }
}

type Transaction = ReturnType<typeof createTransaction>
type StorageState = ReturnType<typeof createStorageState>

function createStorageState() {
  const changed = createSignal<StorageError | undefined>()
  let problem: StorageError | undefined
  function set(next: StorageError | undefined): void {
    problem = next
    changed.emit(next)
  }
  return {
    get problem() {
      return problem
    },
    /** Records a StorageError of a write. Other errors are bugs. */
    fail(error: unknown): void {
      if (!(error instanceof StorageError) || (problem && !isTemporary(problem))) return
      // Repeated problems are not reported.
      if (problem === undefined || !isTemporary(error)) set(error)
    },
    clear: () => set(undefined),
    onChange: changed.subscribe,
  }
}

/** A power of two, so that sums are exact in SQLite and JavaScript. */
const MODULUS = 2 ** 48

/** The open transaction, and the state of the store before it. */
function createTransaction(
  { database, sql, disk, beforeCommit, afterRollback, toStorageError }: GroupCommitPorts,
  state: StorageState,
) {
  let head = newestHead(sql)
  let next = head
  let characters = 0
  return {
    get head() {
      return head
    },
    begin(): void {
      sql.run('BEGIN')
      characters = 0
    },
    /** Counts added entries, the sum of their checksums, and the approximate number of written characters. */
    note(added: { readonly entries: number; readonly sum: number; readonly characters: number }): void {
      next = { length: next.length + added.entries, sum: (next.sum + added.sum) % MODULUS }
      characters += added.characters
    },
    commit(): void {
      if (state.problem) throw state.problem
      disk?.check()
      beforeCommit()
      if (disk) putHead(sql, next)
      sql.run('COMMIT')
      head = next
    },
    afterCommit(): void {
      const written = () => {
        disk?.check()
        disk?.written(characters)
      }
      state.fail(toStorageError(failureOf(written)))
    },
    /** Returns the cause of the rollback. Missing files explain any other error. */
    rollBack(cause: unknown): unknown {
      next = head
      // SQLite ends a transaction by itself after a disk error.
      if (database.isTransaction) database.exec('ROLLBACK')
      const error = failureOf(() => disk?.check()) ?? toStorageError(cause)
      state.fail(error)
      // On a full disk, a file without a name is unreadable too.
      state.fail(toStorageError(failureOf(afterRollback)))
      return error
    },
  }
}

function failureOf(run: () => void): unknown {
  try {
    run()
    return undefined
  } catch (error) {
    return error
  }
}

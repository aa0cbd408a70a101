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
  readonly isInMemory: boolean
  readonly soon: (run: () => void) => void
  readonly beforeCommit: () => void
  readonly afterRollback: () => void
  readonly toStorageError: (error: unknown) => unknown
}

/** Commits all writes of one turn of the event loop in a single transaction. Other work continues while the disk syncs. */
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
    /** Runs `write` in the transaction. Resolves when the write is durable and `emit` has run. Rejects on rollback. */
    add: (write: () => void, durability: Durability, emit?: () => void) =>
      add(write, durability, emit).settled.promise,
    commitNow,
    /** Commits and blocks until the changes are on disk. Throws StorageError. */
    flush(): void {
      commitNow()
      synced.endNow()
      refuseProblem()
    },
    /** Commits the open transaction, and then runs `write` in a separate transaction. Throws StorageError. */
    writeNow(write: () => void): void {
      commitNow()
      refuseProblem()
      const batch = add(write, 'process')
      batch.settled.promise.catch(() => {})
      commitNow()
      if (batch.failure !== undefined) throw batch.failure
      refuseProblem()
    },
    /** Resolves when the newest write is durable. Rejects if the sync of this write failed. Undefined if no write is pending. */
    written,
    /** Returns the same promise as `written`. Returns undefined for a local disk. */
    confirmed: () => (ports.disk?.isRemote === true ? written() : undefined),
    async sync(): Promise<void> {
      commitNow()
      refuseProblem()
      // Only one sync runs at a time. The disk would report an error to only one of two concurrent syncs.
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

function checkFiles({ disk, toStorageError }: GroupCommitPorts, state: StorageState) {
  try {
    if (!state.problem) disk?.check()
  } catch (error) {
    state.fail(toStorageError(error))
  }
  return state.problem
}

/** Groups writes into batches. A batch contains the writes of one turn of the event loop, or all writes during a sync. */
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
    // A write during a sync waits until the sync ends. A few large transactions are faster than many small transactions.
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

  /** Repeats the commit, because a listener may add writes. */
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
    /** Stores a StorageError as the problem of the store. Does not handle other errors, because they are bugs. */
    fail(error: unknown): void {
      if (!(error instanceof StorageError) || (problem && !isTemporary(problem))) return
      if (problem === undefined || !isTemporary(error)) set(error)
    },
    clear: () => set(undefined),
    onChange: changed.subscribe,
  }
}

/** The modulus of checksum sums: a power of two, exact in SQLite and JavaScript. */
const MODULUS = 2 ** 48

const OF_A_FILE = { begin: 'BEGIN', commit: 'COMMIT', rollBack: 'ROLLBACK' }
/** The statements for an in-memory store. One transaction stays open, because an in-memory COMMIT visits every database page. */
const IN_MEMORY = {
  begin: 'SAVEPOINT batch',
  commit: 'RELEASE batch',
  rollBack: 'ROLLBACK TO batch; RELEASE batch',
}

function createTransaction(
  { database, sql, disk, isInMemory, beforeCommit, afterRollback, toStorageError }: GroupCommitPorts,
  state: StorageState,
) {
  const statements = isInMemory ? IN_MEMORY : OF_A_FILE
  if (isInMemory) sql.run('BEGIN')
  let head = newestHead(sql)
  let next = head
  let characters = 0
  return {
    get head() {
      return head
    },
    begin(): void {
      sql.run(statements.begin)
      characters = 0
    },
    note(added: { readonly entries: number; readonly sum: number; readonly characters: number }): void {
      next = { length: next.length + added.entries, sum: (next.sum + added.sum) % MODULUS }
      characters += added.characters
    },
    commit(): void {
      if (state.problem) throw state.problem
      disk?.check()
      beforeCommit()
      if (disk) putHead(sql, next, head)
      sql.run(statements.commit)
      head = next
    },
    afterCommit(): void {
      const written = () => {
        disk?.check()
        disk?.written(characters)
      }
      state.fail(toStorageError(failureOf(written)))
    },
    /** Rolls back and returns the cause. Missing store files have priority, because they explain all other errors. */
    rollBack(cause: unknown): unknown {
      next = head
      // SQLite rolls back automatically after some disk errors.
      if (database.isTransaction) database.exec(statements.rollBack)
      const error = failureOf(() => disk?.check()) ?? toStorageError(cause)
      state.fail(error)
      // Records an error from `afterRollback`, because SQLite on a full disk cannot even read its temporary database.
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

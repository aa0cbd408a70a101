import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'
import { MEMORY } from '../../sandbox/adapters/sqlite/database.ts'
import type { Disk } from '../../sandbox/adapters/sqlite/disk.ts'
import {
  openSingleStore,
  openStoreDatabase,
  type DatabaseOptions,
} from '../../sandbox/adapters/sqlite/store-database.ts'
import type { Entry } from '../../sandbox/engine/state/entries.ts'
import { StorageError, type StorageErrorKind } from '../../sandbox/engine/state/storage-error.ts'
import type { Store } from '../../sandbox/engine/state/store.ts'
import type { WorldDirectory } from '../../sandbox/engine/state/world-directory.ts'

type Options = Partial<DatabaseOptions>

/** A disk on which everything is durable at once. */
export const NO_DISK: Disk = {
  check() {},
  written() {},
  async sync() {},
  syncNow() {},
  recover() {},
  closeWal() {},
  closeHead() {},
}

const soon = (run: () => void) => queueMicrotask(run)

/** A store that ends with the test. */
export function openMemoryStore(options: Options = {}): Store {
  return openSingleStore(MEMORY, { soon, ...options })
}

/** A store in a file. */
export function openFileStore(path: string, options: Options = {}): Store {
  return openSingleStore(path, { soon, ...options })
}

/** A database in memory whose default world is opened again and again, as it is after a kill. */
export function createMemoryDatabase(options: Options = {}): { open(): Store } {
  const database = openStoreDatabase(MEMORY, { soon, ...options })
  return { open: () => database.openDefault() }
}

/** The worlds of a database in memory. */
export function createMemoryWorlds(): WorldDirectory {
  return openStoreDatabase(MEMORY, { soon }).directory
}

/** A database in memory with a disk that fails as a test says. */
export interface FailingDisk {
  /** Opens the default world, as it is after a kill if it was open. */
  open(): Store
  /** From now on each transaction fails so, or each whose entries `applies` accepts. */
  fail(kind: StorageErrorKind, applies?: (entries: readonly Entry[]) => boolean): void
  /** From now on `sync` and `recover` fail so, while transactions succeed. */
  failSyncs(kind: StorageErrorKind): void
  /** From now on it works. */
  repair(): void
}

export function createFailingDisk(options: Options = {}): FailingDisk {
  let failure: { readonly kind: StorageErrorKind; applies(entries: readonly Entry[]): boolean } | undefined
  let syncFailure: StorageErrorKind | undefined

  function refuse(entries: readonly Entry[]): void {
    if (failure?.applies(entries)) throw new StorageError(failure.kind, `The store is ${failure.kind}`)
  }

  function refuseSync(): void {
    if (syncFailure) throw new StorageError(syncFailure, `The store is ${syncFailure}`)
  }

  function openDisk(_: string, database: DatabaseSync): Disk {
    let committed = 0
    return {
      ...NO_DISK,
      check() {
        if (!database.isTransaction) return
        refuse(entriesAfter(database, committed))
      },
      written() {
        committed = lastRow(database)
      },
      async sync() {
        if (syncFailure) await new Promise((resolve) => setImmediate(resolve))
        refuseSync()
      },
      syncNow: refuseSync,
      recover() {
        if (failure) refuse([])
        refuseSync()
      },
    }
  }

  const { open } = createMemoryDatabase({ openDisk, ...options })
  return {
    open,
    fail(kind, applies = () => true) {
      failure = { kind, applies: (entries) => entries.length === 0 || applies(entries) }
    },
    failSyncs(kind) {
      syncFailure = kind
    },
    repair() {
      failure = undefined
      syncFailure = undefined
    },
  }
}

/** A database in memory, and the kinds of the entries of each transaction. */
export function createWatchedDatabase({ sync = async () => {} } = {}): {
  open(): Store
  readonly writes: string[][]
} {
  const writes: string[][] = []
  function openDisk(_: string, database: DatabaseSync): Disk {
    let committed = 0
    return {
      ...NO_DISK,
      written() {
        const entries = entriesAfter(database, committed)
        if (entries.length > 0) writes.push(entries.map(({ head }) => head.kind))
        committed = lastRow(database)
      },
      sync,
    }
  }
  return { ...createMemoryDatabase({ openDisk }), writes }
}

/** The entries after a row, those of the open transaction included. */
function entriesAfter(database: DatabaseSync, row: number): readonly Entry[] {
  const rows = database.prepare('SELECT kind, at, head, body FROM history WHERE rowid > ?').all(row)
  return rows.map(({ kind, at, head, body }): Entry => {
    const rest: object = JSON.parse(String(head))
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the store writes nothing else
    return { head: { kind, at, ...rest }, body: String(body) } as Entry
  })
}

function lastRow(database: DatabaseSync): number {
  return Number(database.prepare('SELECT coalesce(max(rowid), 0) AS last FROM history').get()?.['last'])
}

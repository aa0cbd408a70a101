import type { Log } from '../../engine/state/log.ts'
import { createCheckpoints } from './checkpoints.ts'
import { openDatabase, transact } from './database.ts'
import { createEntriesAside } from './entries-aside.ts'
import { createEntryRows } from './entry-rows.ts'
import { createRecentEntries } from './recent-entries.ts'
import { toStorageError, withStorageErrors } from './storage-errors.ts'
import { createWalFile } from './wal-file.ts'

/**
 * A log in one append-only table of a SQLite file in WAL mode. Throws StorageError `damaged` if the file is no such
 * database, or not what was written; the file is left as it is.
 */
export function openSqliteLog(path: string): Log {
  const { database, rows, checkpoints } = withStorageErrors(path, () => open(path))
  const wal = path === ':memory:' ? undefined : createWalFile(path)
  const recent = createRecentEntries()
  const aside = createEntriesAside(path, { database, rows, onPublished: recent.clear })

  return {
    get length() {
      return rows.length
    },
    append(entries) {
      withStorageErrors(path, () => transact(database, () => rows.write(entries, rows.length)))
      for (const [index, entry] of entries.entries()) recent.add(rows.length + index + 1, entry)
      rows.markWritten(rows.length + entries.length)
    },
    replace(entries) {
      const staged = aside.stage()
      try {
        staged.add(entries)
        staged.publish()
      } catch (error) {
        staged.discard()
        throw error
      }
      withStorageErrors(path, () => wal?.syncNow())
    },
    stage: aside.stage,
    ...(wal && {
      sync: () => wal.sync().catch((error: unknown) => Promise.reject(toStorageError(path, error))),
      syncNow: () => withStorageErrors(path, () => wal.syncNow()),
    }),
    read: (position) => recent.get(position) ?? rows.read(position),
    heads: (after = 0) => rows.heads(after),
    keepsCheckpoints: true,
    readCheckpoint: () => withStorageErrors(path, () => checkpoints.read()),
    writeCheckpoint(checkpoint) {
      withStorageErrors(path, () => transact(database, () => checkpoints.write(checkpoint)))
    },
    close() {
      aside.stop()
      wal?.close()
      database.close()
    },
  }
}

function open(path: string) {
  const database = openDatabase(path)
  try {
    return {
      database,
      rows: createEntryRows(path, database),
      checkpoints: createCheckpoints(database),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

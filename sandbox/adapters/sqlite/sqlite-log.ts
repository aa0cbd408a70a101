import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Entry } from '../../engine/state/entries.ts'
import { StorageError, type LocalLog, type StagedEntries } from '../../engine/state/log.ts'
import { createCheckpoints } from './checkpoints.ts'
import { openDatabase, openScratchDatabase, scratchFolder, transact } from './database.ts'
import { countCharacters, createEntriesAside, type EntriesAside } from './entries-aside.ts'
import { createEntryRows } from './entry-rows.ts'
import { createFileIdentity, type FileIdentity } from './file-identity.ts'
import type { StoreHead } from './head-file.ts'
import { createHeadKeeper, type HeadKeeper } from './head-keeper.ts'
import { createRecentEntries, type RecentEntries } from './recent-entries.ts'
import { hasRoom, toStorageError, withStorageErrors } from './storage-errors.ts'
import { createWalCheckpoints, type WalCheckpoints } from './wal-checkpoints.ts'
import { createWalFile, type WalFile } from './wal-file.ts'

/** What must be free before anything is written again to a disk that was full: some batches. */
const ROOM_BYTES = 128 * 1_024

/**
 * A log in one append-only table of a SQLite file in WAL mode. Throws StorageError `damaged` if the file is no such
 * database, or not what was written; the file is left as it is.
 */
export function openSqliteLog(path: string): LocalLog {
  return createLog(
    path,
    withStorageErrors(path, () => open(path)),
  )
}

/** What is made little by little, such as payments of a load, reads what came some thousand entries before. */
const RECENT_OF_SCRATCH = { entries: 16_384, characters: 32_000_000 }

/** One that goes with the process, however that ends, and is larger than its memory may be. */
export function openScratchLog(): LocalLog {
  const path = join(scratchFolder(), 'hookbench-scratch')
  const parts = withStorageErrors(path, () => toParts(path, openScratchDatabase()))
  return createLog(path, { ...parts, files: undefined })
}

function createLog(path: string, parts: LogParts): LocalLog {
  const { database, rows, checkpoints, files } = parts
  const recent = createRecentEntries(files ? undefined : RECENT_OF_SCRATCH)
  const aside = openAside(path, parts, recent)

  return {
    get length() {
      return rows.length
    },
    append(entries) {
      files?.identity.check()
      aside.check()
      withAppendErrors({ path, isScratch: !files }, () =>
        transact(database, () => rows.write(entries, rows.length)),
      )
      for (const [index, entry] of entries.entries()) recent.add(rows.length + index + 1, entry)
      rows.markWritten(rows.length + entries.length)
      files?.identity.check()
      files?.walCheckpoints.afterWrite(countCharacters(entries))
    },
    replace(entries) {
      files?.identity.check()
      publishAll(aside.stage(), entries)
      files?.methods.syncNow()
    },
    stage() {
      files?.identity.check()
      return aside.stage()
    },
    ...files?.methods,
    read: (position) => recent.get(position) ?? rows.read(position),
    heads: (after = 0) => rows.heads(after),
    keepsCheckpoints: files !== undefined,
    readCheckpoint: () => (files ? withStorageErrors(path, () => checkpoints.read()) : undefined),
    writeCheckpoint(checkpoint) {
      withStorageErrors(path, () => transact(database, () => checkpoints.write(checkpoint)))
      files?.walCheckpoints.afterWrite(checkpoint.bytes.length)
    },
    close() {
      aside.stop()
      files?.wal.close()
      database.close()
      files?.head.close()
    },
  }
}

function openAside(
  path: string,
  { database, rows, files }: LogParts,
  recent: Pick<RecentEntries, 'clear'>,
): EntriesAside {
  return createEntriesAside(path, {
    database,
    rows,
    onWritten: (characters) => files?.walCheckpoints.afterWrite(characters),
    onPublish: (next) => files?.head.announce(next),
    onPublished(present) {
      recent.clear()
      files?.head.adopt(present)
    },
  })
}

/** A scratch file whose disk is full is not gone on with: even to read it takes room. */
function withAppendErrors(
  { path, isScratch }: { readonly path: string; readonly isScratch: boolean },
  append: () => void,
): void {
  try {
    withStorageErrors(path, append)
  } catch (cause) {
    if (!isScratch || !(cause instanceof StorageError) || cause.kind !== 'full') throw cause
    const message = `${cause.message}; name a folder with more room by TMPDIR`
    throw new StorageError('failed', message, { cause })
  }
}

function publishAll(staged: StagedEntries, entries: readonly Entry[]): void {
  try {
    staged.add(entries)
    staged.publish()
  } catch (error) {
    staged.discard()
    throw error
  }
}

interface Files {
  readonly wal: WalFile
  readonly identity: FileIdentity
  readonly walCheckpoints: WalCheckpoints
  readonly head: HeadKeeper
}

/** What a log in files does beside one in memory. */
function fileMethods(path: string, { wal, identity, walCheckpoints, head }: Files) {
  let mayHaveForgotten = false
  const noteFailure = (error: unknown): unknown => {
    mayHaveForgotten = true
    return toStorageError(path, error)
  }
  return {
    async sync(): Promise<void> {
      try {
        const state = head.take()
        await wal.sync()
        identity.check()
        state()
      } catch (error) {
        throw noteFailure(error)
      }
    },
    syncNow(): void {
      try {
        const state = head.take()
        wal.syncNow()
        identity.check()
        state()
      } catch (error) {
        throw noteFailure(error)
      }
    },
    recover(): void {
      identity.check()
      if (!hasRoom(path, ROOM_BYTES))
        throw new StorageError('full', `Cannot write store "${path}": the disk is full`)
      if (!mayHaveForgotten) return
      withStorageErrors(path, () => {
        // After a failed sync the next one can succeed without the data. All of it is safe before any of it is moved: a loss of power
        // in between would leave the database with a part.
        wal.writeAgain()
        walCheckpoints.moveAll()
        head.take()()
      })
      identity.renew()
      mayHaveForgotten = false
    },
  }
}

type LogParts = ReturnType<typeof open>

function open(path: string) {
  const { database, contents } = openDatabase(path)
  try {
    return {
      ...toParts(path, database),
      files: path === ':memory:' ? undefined : openFiles(path, database, contents),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

function toParts(path: string, database: DatabaseSync) {
  return { database, rows: createEntryRows(path, database), checkpoints: createCheckpoints(database) }
}

function openFiles(path: string, database: DatabaseSync, contents: StoreHead) {
  const files = {
    wal: createWalFile(path),
    identity: createFileIdentity(path),
    walCheckpoints: createWalCheckpoints(path, database),
    head: createHeadKeeper(path, database, contents),
  }
  return { ...files, methods: fileMethods(path, files) }
}

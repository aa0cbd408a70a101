import {
  close,
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'

/** The file of what is written last, beside a database in WAL mode. */
export interface WalFile {
  /** Resolves when everything that was written to it so far is on the disk; work goes on meanwhile. */
  sync(): Promise<void>
  syncNow(): void
  /** After a failed sync: writes the whole file again where it stands, and waits for the disk. */
  writeAgain(): void
  close(): void
}

const BYTES_AT_ONCE = 1_048_576

const syncFile = promisify(fdatasync)

/** SQLite makes it at the first write, and keeps it as long as the database is open. */
export function createWalFile(databasePath: string): WalFile {
  let descriptor: number | undefined
  let underWay = 0
  let isClosed = false
  const path = `${databasePath}-wal`
  const open = () => (descriptor ??= openSync(path, 'r+'))
  // Before the first write after a clean close: there is nothing in it.
  const isMissing = () => descriptor === undefined && !existsSync(path)

  function closeUnused(): void {
    if (!isClosed || underWay > 0 || descriptor === undefined) return
    const unused = descriptor
    descriptor = undefined
    close(unused)
  }

  return {
    async sync() {
      underWay++
      try {
        await syncFile(open())
      } finally {
        underWay--
        closeUnused()
      }
    },
    syncNow() {
      if (!isMissing()) fdatasyncSync(open())
    },
    writeAgain() {
      const file = open()
      const bytes = Buffer.alloc(BYTES_AT_ONCE)
      for (let at = 0, count = 1; count > 0; at += count) {
        count = readSync(file, bytes, 0, bytes.length, at)
        if (count > 0) writeSync(file, bytes, 0, count, at)
      }
      fdatasyncSync(file)
    },
    close() {
      isClosed = true
      if (underWay === 0 && descriptor !== undefined) {
        closeSync(descriptor)
        descriptor = undefined
      }
    },
  }
}

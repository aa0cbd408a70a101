import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The endings of the names of the files of a store. */
export const STORE_SUFFIXES = ['', '-wal', '.head']

/** Copies the files of a store as a process would leave them that is killed now. */
export function copyStoreFiles(path: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const suffix of STORE_SUFFIXES)
    if (existsSync(path + suffix)) cpSync(path + suffix, join(folder, basename(path) + suffix))
}

/** Calls back with the path of a copy of a store that another process may have open. */
export function withStoreCopy<Result>(path: string, use: (copy: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-copy-'))
  try {
    copyStoreFiles(path, folder)
    return use(join(folder, basename(path)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Reads rows of a store that a sandbox has open. */
export function readStoredRows(path: string, query: string): readonly Record<string, unknown>[] {
  return withStoreCopy(path, (copy) => {
    const database = new DatabaseSync(copy)
    try {
      return database.prepare(query).all()
    } finally {
      database.close()
    }
  })
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { STORE_SUFFIXES } from '../../support/store-copy.ts'

/** The files of a store as they are at a moment, by their names. */
export type StoreFiles = ReadonlyMap<string, Buffer>

export function readStoreFiles(path: string): StoreFiles {
  return new Map(
    STORE_SUFFIXES.map((suffix) => path + suffix)
      .filter((file) => existsSync(file))
      .map((file) => [basename(file), readFileSync(file)]),
  )
}

export function writeStoreFiles(files: StoreFiles, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
}

/**
 * Returns the files in the middle of a write, with this share of its changes to the "-wal" file. SQLite writes a transaction to that file
 * alone. The head file follows when the transaction is synced.
 */
export function tearFiles(before: StoreFiles, after: StoreFiles, share: number): StoreFiles {
  return new Map(
    [...after].map(([name, bytes]) => {
      const earlier = before.get(name) ?? Buffer.alloc(0)
      return [name, name.endsWith('-wal') ? tear(earlier, bytes, share) : earlier]
    }),
  )
}

function tear(before: Buffer, after: Buffer, share: number): Buffer {
  const first = firstDifference(before, after)
  const end = first + Math.floor((endOfDifference(before, after) - first) * share)
  return Buffer.concat([after.subarray(0, end), before.subarray(end)])
}

function firstDifference(before: Buffer, after: Buffer): number {
  const most = Math.min(before.length, after.length)
  for (let index = 0; index < most; index++) if (before[index] !== after[index]) return index
  return most
}

/** The file can begin anew, and keep what it had behind that. */
function endOfDifference(before: Buffer, after: Buffer): number {
  let end = after.length
  while (end > 0 && before[end - 1] === after[end - 1]) end--
  return end
}

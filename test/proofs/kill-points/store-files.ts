import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** The files of a store as they are at a moment, by their names. */
export type StoreFiles = ReadonlyMap<string, Buffer>

const SUFFIXES = ['', '-wal']

export function readStoreFiles(path: string): StoreFiles {
  return new Map(
    SUFFIXES.map((suffix) => path + suffix)
      .filter((file) => existsSync(file))
      .map((file) => [basename(file), readFileSync(file)]),
  )
}

export function writeStoreFiles(files: StoreFiles, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
}

/** What a process leaves that is killed: the files go on to be what they are. */
export function copyStoreFiles(path: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const suffix of SUFFIXES)
    if (existsSync(path + suffix)) cpSync(path + suffix, join(folder, basename(path) + suffix))
}

/**
 * The files in the middle of a write: so much of what it changed in the file that is written first is there, and nothing behind it.
 * What a transaction changes goes to the `-wal` file, and to no other until it is complete.
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
  const end = first + Math.floor((after.length - first) * share)
  return Buffer.concat([after.subarray(0, end), before.subarray(end)])
}

function firstDifference(before: Buffer, after: Buffer): number {
  const most = Math.min(before.length, after.length)
  for (let index = 0; index < most; index++) if (before[index] !== after[index]) return index
  return most
}

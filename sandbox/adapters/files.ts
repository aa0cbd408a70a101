import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { platform } from 'node:os'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errorMessage, isError } from '../../spec/errors.ts'

const TEXT_BY_CODE: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'it does not exist'],
  ['EACCES', 'you have no permission for it'],
  ['EPERM', 'you have no permission for it'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of its path is a file'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the disk is read-only'],
  ['EEXIST', 'another file has its name'],
])

/** What is wrong with a file, in words; neither a code nor the name of a temporary file. */
export function describeFileError(error: unknown): string {
  const known = isError(error) ? TEXT_BY_CODE.get(Reflect.get(error, 'code')) : undefined
  return known ?? errorMessage(error)
}

/** When the file was made, epoch milliseconds, as far as its file system knows; undefined if there is none. */
export function fileCreatedAt(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && Math.floor(found.birthtimeMs || found.mtimeMs)
}

/**
 * Makes a folder and those above it, which outlive a loss of power then. One after the other: where none can be made, as in /proc,
 * `recursive` tries for ever.
 */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, mode)
    syncFolder(dirname(path))
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(path)) throw error
  }
}

/** What a file system says that has no such thing, or does not let us. */
const UNSYNCED: ReadonlySet<unknown> = new Set(['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM'])

/** Returns when the names of what is in the folder outlive a loss of power, on a file system that knows of it. */
export function syncFolder(path: string): void {
  // Windows opens no folder, and its file systems keep names in order.
  if (platform() === 'win32') return
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, 'r')
    fsyncSync(descriptor)
  } catch (error) {
    if (!UNSYNCED.has(isError(error) && Reflect.get(error, 'code'))) throw error
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

interface ReplaceOptions {
  readonly mode?: number
  /** Whether its text is to be whole after a loss of power, too. Which text that is, `syncFolder` says. */
  readonly flush?: boolean
}

/** Writes a file whole or not at all: a reader finds the old text or the new one. Throws what the file system throws. */
export function replaceFile(
  file: string,
  text: string,
  { mode = 0o666, flush = false }: ReplaceOptions = {},
): void {
  const draft = `${file}.${randomUUID()}.tmp`
  try {
    writeFileSync(draft, text, { mode, flush })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** The same for a file that is too large to be held. Throws what the file system or the pieces throw. */
export async function replaceFileByPieces(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  { mode = 0o666, flush = false }: ReplaceOptions = {},
): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  // Open before the first piece: one that fails at once would be removed before it is there.
  const handle = await open(draft, 'w', mode)
  try {
    await pipeline(pieces, handle.createWriteStream({ flush }))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

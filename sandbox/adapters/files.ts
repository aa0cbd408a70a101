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

/** Describes a file error without its code and without the name of a temporary file. */
export function describeFileError(error: unknown): string {
  const known = isError(error) ? TEXT_BY_CODE.get(Reflect.get(error, 'code')) : undefined
  return known ?? errorMessage(error)
}

/** Returns the creation time in epoch milliseconds. Returns undefined for a missing file. */
export function fileCreatedAt(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && Math.floor(found.birthtimeMs || found.mtimeMs)
}

/**
 * Makes a folder and its missing parents, which then survive a power loss. In a place such as /proc, the option `recursive` of Node
 * would never return.
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

/** The error codes of a file system that cannot sync a folder. */
const UNSYNCED: ReadonlySet<unknown> = new Set(['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM'])

/** Makes the names in the folder survive a power loss, if the file system supports that. */
export function syncFolder(path: string): void {
  // Windows cannot open a folder, and its file systems keep names in order.
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
  /** True if the file must be complete after a power loss. Without `syncFolder`, it may have the old text then. */
  readonly flush?: boolean
}

/** Replaces a file at once: a reader finds the old text or the new one. Throws the error of the file system. */
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

/** Replaces a file that is too large for memory. Throws the error of the file system or of the pieces. */
export async function replaceFileByPieces(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  { mode = 0o666, flush = false }: ReplaceOptions = {},
): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  // Opened before the first piece, so that an immediate failure removes an existing file.
  const handle = await open(draft, 'w', mode)
  try {
    await pipeline(pieces, handle.createWriteStream({ flush }))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

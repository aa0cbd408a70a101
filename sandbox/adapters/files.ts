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
  ['ENOENT', 'the path does not exist'],
  ['EACCES', 'you have no permission for this path'],
  ['EPERM', 'you have no permission for this path'],
  ['EISDIR', 'the path is a folder'],
  ['ENOTDIR', 'a part of the path is a file'],
  ['ENOSPC', 'the disk is full'],
  ['EROFS', 'the disk is read-only'],
  ['EEXIST', 'another file has this name'],
])

/** Describes a file system error, without the error code and the name of a temporary file. */
export function describeFileError(error: unknown): string {
  const known = isError(error) ? TEXT_BY_CODE.get(Reflect.get(error, 'code')) : undefined
  return known ?? errorMessage(error)
}

/** Returns the creation time of a file, in milliseconds since the Unix epoch. Returns undefined for a missing file. */
export function fileCreatedAt(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && Math.floor(found.birthtimeMs || found.mtimeMs)
}

/** Creates missing folders durably. Avoids `recursive`, with which Node's `mkdir` never returns in /proc. */
export function makeFolder(path: string, mode?: number): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, mode)
    syncFolder(dirname(path))
  } catch (error) {
    if (!existsSync(path)) throw error
  }
}

/** The error codes of file systems that cannot sync a folder. */
const UNSYNCED: ReadonlySet<unknown> = new Set(['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM'])

/** Makes file names in a folder survive a power loss, if the file system can. */
export function syncFolder(path: string): void {
  // Does nothing on Windows. Windows cannot open a folder to sync it, but its file systems write directory entries in order.
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
  /** True if the file must be complete after a power loss. Without `syncFolder`, a power loss may restore the old text. */
  readonly flush?: boolean
}

/** Replaces a file atomically: a reader sees the old text or the new text. Throws file system errors. */
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

export async function replaceFileByPieces(
  file: string,
  pieces: AsyncIterable<Uint8Array>,
  { mode = 0o666, flush = false }: ReplaceOptions = {},
): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`
  // Opens the draft before the input is read, so that the draft is removed even if the input fails immediately.
  const handle = await open(draft, 'w', mode)
  try {
    await pipeline(pieces, handle.createWriteStream({ flush }))
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

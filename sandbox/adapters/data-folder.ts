import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isError } from '../../spec/errors.ts'
import { DEFAULT_DATA_FOLDER } from '../engine/core/command-line.ts'
import { describeFileError, makeFolder, replaceFile, syncFolder } from './files.ts'
import { secretText } from './secrets.ts'

/** The file that tells a data folder from any other. */
export const MARKER = 'hookbench.json'
const FORMAT = 1

/** What may be there before the marker is, when two processes make the folder at once. */
const EARLY_FILES = /^\.gitignore$|\.tmp$/

/** The data folder cannot be used; the message says why and what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

/** A running sandbox, as the commands find it. */
export interface Run {
  readonly pid: number
  readonly service_url: string
  readonly bench_url: string
  readonly started_at: string
}

export interface DataFolder {
  readonly path: string
  readonly storePath: string
  readonly caFolder: string
}

/** Opens the folder, making it on first use. Throws DataFolderError if it is another folder or cannot be used. */
export function openDataFolder(given: string = DEFAULT_DATA_FOLDER): DataFolder {
  const path = resolve(given)
  withFolderErrors(path, () => prepare(path))
  return { ...placesOf(path), caFolder: join(path, 'ca') }
}

/** Where things are in a data folder, whether it is there or not. */
export function placesOf(path: string): Omit<DataFolder, 'caFolder'> {
  return { path, storePath: join(path, 'store.sqlite') }
}

function withFolderErrors<Result>(path: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (error instanceof DataFolderError) throw error
    const problem = `Cannot use data folder "${path}": ${describeFileError(error)}`
    throw new DataFolderError(`${problem}. Make it usable, or give another with --data`, { cause: error })
  }
}

function prepare(path: string): void {
  const isNew = !existsSync(path)
  if (!isNew) {
    if (!statSync(path).isDirectory())
      throw new DataFolderError(`Cannot use data folder "${path}": it is a file`)
    const names = readdirSync(path)
    if (names.includes(MARKER)) return refuseOtherFormat(path)
    if (names.some((name) => !EARLY_FILES.test(name))) {
      throw new DataFolderError(
        `Cannot use data folder "${path}": it holds files that are not Hookbench's. Give an empty or new one with --data`,
      )
    }
  }
  makeFolder(path, 0o700)
  try {
    chmodSync(path, 0o700)
    // The marker first: a crash in between must not make the folder somebody else's.
    writePrivate(join(path, MARKER), JSON.stringify({ format: FORMAT }), { flush: true })
    // The folder holds keys: it must not be committed by mistake.
    replaceFile(join(path, '.gitignore'), '*\n', { flush: true })
    syncFolder(path)
  } catch (error) {
    if (isNew) removeUnfinished(path)
    throw error
  }
}

/** Unless another process has put something there meanwhile. */
function removeUnfinished(path: string): void {
  try {
    if (readdirSync(path).every((name) => name === MARKER)) rmSync(join(path, MARKER), { force: true })
    rmdirSync(path)
  } catch {
    // What is left is whole, or empty: the next start goes on from there.
  }
}

function refuseOtherFormat(path: string): void {
  const { format }: { format?: unknown } = JSON.parse(readFileSync(join(path, MARKER), 'utf8'))
  if (format === FORMAT) return
  throw new DataFolderError(
    `Cannot use data folder "${path}": its format is ${String(format)}, this version reads ${FORMAT}. Give another with --data`,
  )
}

/**
 * Takes the folder for this process until the returned function is called or the process ends, however it ends.
 * Throws DataFolderError, naming the holder, if another process has it.
 */
export function claim({ path }: Pick<DataFolder, 'path'>): () => void {
  let lock: DatabaseSync | undefined
  try {
    const file = join(path, 'lock.sqlite')
    makePrivate(file)
    lock = new DatabaseSync(file)
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (cause) {
    lock?.close()
    if (!isBusy(cause)) throw unusableError(path, cause)
    const run = findRun(path)
    const holder = run ? `process ${run.pid} at ${run.bench_url}` : 'another process'
    throw new DataFolderError(
      `Cannot use data folder "${path}": ${holder} is using it. Stop that sandbox, or give another folder with --data`,
      { cause },
    )
  }
  return () => {
    // Another sandbox may have the folder that stands in its place by now.
    if (findRun(path)?.pid === process.pid) rmSync(join(path, 'run.json'), { force: true })
    lock?.close()
  }
}

/** The process that has the folder, if one has, and has said where it listens. */
export function findHolder(path: string): Run | undefined {
  const file = join(path, 'lock.sqlite')
  if (!existsSync(file)) return undefined
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file)
    lock.exec('BEGIN EXCLUSIVE; ROLLBACK')
    return undefined
  } catch (cause) {
    if (!isBusy(cause)) throw unusableError(path, cause)
    return findRun(path)
  } finally {
    lock?.close()
  }
}

const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return isError(error) && Reflect.get(error, 'errcode') === SQLITE_BUSY
}

function unusableError(path: string, cause: unknown): DataFolderError {
  const problem = `Cannot use data folder "${path}": ${describeFileError(cause)}`
  return new DataFolderError(`${problem}. Make it usable, or give another with --data`, { cause })
}

/** Keeps the token of the control API for its owner only: the given one, or that of the last start, or a random one. */
export function writeBenchToken({ path }: DataFolder, given: string | undefined): string {
  const token = given ?? (readBenchToken({ path }) || secretText())
  withFolderErrors(path, () => writePrivate(join(path, 'token'), token))
  return token
}

/** The token of the sandbox that runs, or last ran, on this folder. */
export function readBenchToken({ path }: Pick<DataFolder, 'path'>): string | undefined {
  const file = join(path, 'token')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** The certificate of the folder's CA, once there is one. */
export function readCaCertificate({ path }: Pick<DataFolder, 'path'>): string | undefined {
  const file = findCaCertificate({ path })
  return file === undefined ? undefined : readFileSync(file, 'utf8')
}

/** The file of the certificate, as an absolute path. */
export function findCaCertificate({ path }: Pick<DataFolder, 'path'>): string | undefined {
  const file = resolve(path, 'ca', 'ca.crt.pem')
  return existsSync(file) ? file : undefined
}

/** What access tokens are signed with, so that they outlive a restart. */
export function readTokenKey({ path }: DataFolder): Uint8Array {
  const key = withFolderErrors(path, () => readOrCreate(join(path, 'token-key'), secretText))
  return Buffer.from(key, 'base64url')
}

/** What tells the processes of this data folder from those of others. */
export function readProcessId({ path }: DataFolder): string {
  return withFolderErrors(path, () => readOrCreate(join(path, 'process-id'), secretText))
}

/** Says where this process listens. */
export function writeRun(
  { path }: Pick<DataFolder, 'path'>,
  addresses: Omit<Run, 'pid' | 'started_at'>,
): void {
  const run: Run = { pid: process.pid, ...addresses, started_at: new Date().toISOString() }
  withFolderErrors(path, () => writePrivate(join(path, 'run.json'), JSON.stringify(run, null, 2)))
}

/** The sandbox that runs, or last ran, on this folder. */
export function readRun({ path }: Pick<DataFolder, 'path'>): Run | undefined {
  const file = join(path, 'run.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function readOrCreate(file: string, make: () => string): string {
  if (!existsSync(file)) {
    writePrivate(file, make(), { flush: true })
    syncFolder(dirname(file))
  }
  return readFileSync(file, 'utf8').trim()
}

/** Makes an empty file that only its owner can read, if there is none. */
function makePrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
}

/** Whole or not at all, and readable by its owner only. */
function writePrivate(file: string, text: string, { flush = false } = {}): void {
  replaceFile(file, `${text}\n`, { mode: 0o600, flush })
}

/** The same, for a message: a torn file says nothing. */
export function findRun(path: string): Run | undefined {
  try {
    return readRun({ path })
  } catch {
    return undefined
  }
}

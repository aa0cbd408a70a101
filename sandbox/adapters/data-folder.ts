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
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isError } from '../../spec/errors.ts'
import { DEFAULT_DATA_FOLDER } from '../engine/core/command-line.ts'
import { describeFileError, makeFolder, replaceFile, syncFolder } from './files.ts'
import { secretText } from './secrets.ts'

export const MARKER = 'hookbench.json'
const FORMAT = 1

/** The names of files that another process may create before the marker file. */
const EARLY_FILES = /^\.gitignore$|\.tmp$/

export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

export interface RunFile {
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

/** Opens the data folder, or creates it if missing. Throws DataFolderError if the folder is unusable or is not a data folder. */
export function openDataFolder(given: string = DEFAULT_DATA_FOLDER): DataFolder {
  const path = resolve(given)
  withFolderErrors(path, () => prepare(path))
  return { ...pathsInFolder(path), caFolder: join(path, 'ca') }
}

export function pathsInFolder(path: string): Omit<DataFolder, 'caFolder'> {
  return { path, storePath: join(path, 'store.sqlite') }
}

function withFolderErrors<Result>(path: string, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw error instanceof DataFolderError ? error : unusableError(path, error)
  }
}

function unusableError(path: string, cause: unknown): DataFolderError {
  const problem = `Cannot use data folder "${path}": ${describeFileError(cause)}`
  return new DataFolderError(`${problem}. Fix this problem, or give another folder with --data`, {
    cause,
  })
}

function prepare(path: string): void {
  const isNew = !existsSync(path)
  if (!isNew) {
    if (!statSync(path).isDirectory())
      throw new DataFolderError(`Cannot use data folder "${path}": the path is a file`)
    const names = readdirSync(path)
    if (names.includes(MARKER)) return refuseOtherFormat(path)
    if (names.some((name) => !EARLY_FILES.test(name))) {
      throw new DataFolderError(
        `Cannot use data folder "${path}": the folder has files of another program. Give an empty or new folder with --data`,
      )
    }
  }
  makeFolder(path, 0o700)
  try {
    chmodSync(path, 0o700)
    // Writes the marker first, so that the next start recognizes the folder after a crash.
    writePrivate(join(path, MARKER), JSON.stringify({ format: FORMAT }), { flush: true })
    replaceFile(join(path, '.gitignore'), '*\n', { flush: true })
    syncFolder(path)
  } catch (error) {
    if (isNew) removeUnfinished(path)
    throw error
  }
}

/** Removes a data folder that was not completely created. Does not remove files of another process. */
function removeUnfinished(path: string): void {
  try {
    if (readdirSync(path).every((name) => name === MARKER)) rmSync(join(path, MARKER), { force: true })
    rmdirSync(path)
  } catch {
    // Ignores the error, because the next start can use the remaining folder, which is complete or empty.
  }
}

function refuseOtherFormat(path: string): void {
  const { format }: { format?: unknown } = JSON.parse(readFileSync(join(path, MARKER), 'utf8'))
  if (format === FORMAT) return
  throw new DataFolderError(
    `Cannot use data folder "${path}": the folder has format ${String(format)}, but this version reads only ${FORMAT}. Give another folder with --data`,
  )
}

/** Locks the folder. Returns the unlock function. Throws DataFolderError that names the process holding the lock. */
export function claim({ path }: Pick<DataFolder, 'path'>): () => void {
  let lock: DatabaseSync | undefined
  try {
    const file = join(path, 'lock.sqlite')
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
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
    // Checks the process id, because another sandbox may already use a new folder at this path.
    if (findRun(path)?.pid === process.pid) rmSync(join(path, 'run.json'), { force: true })
    lock?.close()
  }
}

/** Returns the process that uses the folder. Returns undefined until the process has written its addresses. */
export function findHolder(path: string): RunFile | undefined {
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

export function writeBenchToken({ path }: DataFolder, given: string | undefined): string {
  const token = given ?? (readBenchToken({ path }) || secretText())
  withFolderErrors(path, () => writePrivate(join(path, 'token'), token))
  return token
}

export function readBenchToken({ path }: Pick<DataFolder, 'path'>): string | undefined {
  return readIfPresent(join(path, 'token'))?.trim()
}

export function readCaCertificate({ path }: Pick<DataFolder, 'path'>): string | undefined {
  return readIfPresent(join(path, 'ca', 'ca.crt.pem'))
}

export function findCaCertificate({ path }: Pick<DataFolder, 'path'>): string | undefined {
  const file = resolve(path, 'ca', 'ca.crt.pem')
  return existsSync(file) ? file : undefined
}

export function readTokenKey({ path }: DataFolder): Uint8Array {
  return Buffer.from(readSecret(path, 'token-key'), 'base64url')
}

/** Returns the id of the data folder. All processes that use the data folder share this id. */
export function readProcessId({ path }: DataFolder): string {
  return readSecret(path, 'process-id')
}

export function writeRun(
  { path }: Pick<DataFolder, 'path'>,
  addresses: Omit<RunFile, 'pid' | 'started_at'>,
): void {
  const run: RunFile = { pid: process.pid, ...addresses, started_at: new Date().toISOString() }
  withFolderErrors(path, () => writePrivate(join(path, 'run.json'), JSON.stringify(run, null, 2)))
}

export function readRun({ path }: Pick<DataFolder, 'path'>): RunFile | undefined {
  const text = readIfPresent(join(path, 'run.json'))
  return text === undefined ? undefined : JSON.parse(text)
}

function readIfPresent(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function readSecret(path: string, name: string): string {
  return withFolderErrors(path, () => {
    const file = join(path, name)
    if (!existsSync(file)) {
      writePrivate(file, secretText(), { flush: true })
      syncFolder(path)
    }
    return readFileSync(file, 'utf8').trim()
  })
}

function writePrivate(file: string, text: string, { flush = false } = {}): void {
  replaceFile(file, `${text}\n`, { mode: 0o600, flush })
}

export function findRun(path: string): RunFile | undefined {
  try {
    return readRun({ path })
  } catch {
    return undefined
  }
}

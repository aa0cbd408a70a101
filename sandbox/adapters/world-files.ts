import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { WorldPause, WorldRecord } from '../engine/state/world-directory.ts'
import { DataFolderError } from './data-folder.ts'
import { describeFileError, replaceFile } from './files.ts'
import { hasStore } from './sqlite/head-file.ts'

const FORMAT = 1
const RECORD_FILE = 'world.json'
/** Made when the world is first used. */
export const STORE_FILE = 'store.sqlite'
const PAUSE_FILE = 'closed.json'
const REQUESTS_FILE = 'requests.json'

/** What is not whole yet, or not any more: no world's name begins so. */
const UNFINISHED = /^\./

/** A world as its file has it. */
interface WorldFile {
  readonly format: number
  readonly id: string
  readonly name: string
  readonly credentials: WorldRecord['credentials']
  readonly control_token: string
  readonly created_at: string
  readonly expires_at: string | null
  readonly seed?: number | undefined
  readonly speed?: number | undefined
}

/** Oldest first. What was not whole when a process ended is removed. */
export function readWorlds(root: string): WorldRecord[] {
  if (!existsSync(root)) return []
  const names = withFolderErrors(root, () => readdirSync(root))
  for (const name of names.filter((each) => UNFINISHED.test(each)))
    withFolderErrors(root, () => rmSync(join(root, name), { recursive: true, force: true }))
  return names
    .filter((name) => !UNFINISHED.test(name))
    .map((name) => withFolderErrors(join(root, name), () => readWorld(root, name)))
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1))
}

/** The log of a world, as its file. */
export interface WorldStore {
  readonly name: string
  readonly path: string
}

/** The stores of the worlds that are whole and were used. Leaves everything as it is. */
export function findWorldStores(root: string): WorldStore[] {
  if (!existsSync(root)) return []
  return withFolderErrors(root, () => readdirSync(root))
    .filter((name) => !UNFINISHED.test(name))
    .map((name) => ({ name, path: join(root, name, STORE_FILE) }))
    .filter(({ path }) => hasStore(path))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function withFolderErrors<Result>(path: string, run: () => Result): Result {
  try {
    return run()
  } catch (cause) {
    const problem = `Cannot use the world in "${path}": ${describeFileError(cause)}`
    throw new DataFolderError(`${problem}; make it readable, or remove that folder, and with it that world`, {
      cause,
    })
  }
}

function readWorld(root: string, folder: string): WorldRecord {
  const file: WorldFile = JSON.parse(readFileSync(join(root, folder, RECORD_FILE), 'utf8'))
  const { format, control_token, created_at, expires_at, ...rest } = file
  if (format !== FORMAT) throw new Error(`its format is ${String(format)}, this version reads ${FORMAT}`)
  if (rest.name !== folder) throw new Error(`its ${RECORD_FILE} is that of world "${rest.name}"`)
  return {
    ...rest,
    controlToken: control_token,
    createdAt: Date.parse(created_at),
    expiresAt: expires_at === null ? null : Date.parse(expires_at),
  }
}

function formatWorld({ controlToken, createdAt, expiresAt, ...world }: WorldRecord): string {
  const file: WorldFile = {
    format: FORMAT,
    ...world,
    control_token: controlToken,
    created_at: new Date(createdAt).toISOString(),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}

export function writeWorld(folder: string, world: WorldRecord): void {
  replaceFile(join(folder, RECORD_FILE), formatWorld(world), { mode: 0o600, flush: true })
}

/** A world that was closed cleanly, as its file has it; the calls are in a file beside it, if there are any. */
type PauseFile = Omit<WorldPause, 'requests'>

export function writePause(folder: string, { requests, ...pause }: WorldPause): void {
  if (requests.length > 0) replaceFile(join(folder, REQUESTS_FILE), JSON.stringify(requests), { mode: 0o600 })
  const file: PauseFile = pause
  replaceFile(join(folder, PAUSE_FILE), `${JSON.stringify(file)}\n`, { mode: 0o600 })
}

/** When the world is to be opened by itself: at once if it was used, and not closed cleanly then. */
export function readWakeAt(folder: string): number | null {
  const pause = readPauseFile(folder)
  if (pause) return pause.wakeAt
  return hasStore(join(folder, STORE_FILE)) ? 0 : null
}

/** Undefined if it was not closed cleanly. It is not there a second time. */
export function takePause(folder: string): WorldPause | undefined {
  const pause = readPauseFile(folder)
  const requests = readJson<WorldPause['requests']>(join(folder, REQUESTS_FILE)) ?? []
  for (const name of [PAUSE_FILE, REQUESTS_FILE]) rmSync(join(folder, name), { force: true })
  return pause && { ...pause, requests }
}

function readPauseFile(folder: string): PauseFile | undefined {
  return readJson(join(folder, PAUSE_FILE))
}

/** Undefined for a file that is not there, or torn. */
function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

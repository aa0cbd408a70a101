import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Note, parseNote, type SystemCall, traceScenario } from './disk-model.ts'

/** A recorded disk event. Files are identified by number, because a name can move to another file. */
export type DiskEvent =
  | { readonly kind: 'write'; readonly file: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: number; readonly size: number }
  /** The start of a sync. When the sync ends, all earlier writes are on the disk. */
  | { readonly kind: 'sync-begin'; readonly file: number }
  | { readonly kind: 'sync-end'; readonly file: number }
  /** A sync failed. The disk discards all earlier unsynced writes. */
  | { readonly kind: 'sync-failed'; readonly file: number }
  /** A folder was synced. The changed file names in the folder are now on the disk. */
  | { readonly kind: 'sync-folder'; readonly folder: string }
  /** The name now refers to a file, to a folder, or to nothing. */
  | { readonly kind: 'name'; readonly folder: string; readonly path: string; readonly target: Target }
  | { readonly kind: 'rename'; readonly folder: string; readonly from: string; readonly path: string }
  | { readonly kind: 'note'; readonly note: Note }

export type Target = number | 'folder' | undefined

export interface Recording {
  readonly folder: string
  readonly events: readonly DiskEvent[]
}

/** Several cases share one recording, because each recording takes seconds. */
export const CASES_OF_A_RECORDING = 50

/** Records the scenario for a case. Every fifth scenario is long enough to reach a checkpoint of the database. */
export function recordFor(number: number): Promise<Recording> {
  const seed = Math.floor(number / CASES_OF_A_RECORDING)
  return record(['--seed', String(seed), '--steps', seed % 5 === 4 ? '700' : '60'])
}

export async function record(options: readonly string[]): Promise<Recording> {
  const root = mkdtempSync(join(tmpdir(), 'hookbench-power-'))
  const folder = join(root, 'data')
  try {
    const recorder = createRecorder(root)
    await traceScenario(folder, options, recorder.add)
    return { folder, events: recorder.events }
  } finally {
    rmSync(root, { recursive: true })
  }
}

interface OpenFile {
  readonly target: number | { readonly folder: string }
  offset: number
}

function createRecorder(root: string) {
  const events: DiskEvent[] = []
  const fileByPath = new Map<string, number>()
  const openByDescriptor = new Map<number, OpenFile>()
  let files = 0
  const isOurs = (path: string) => path === root || path.startsWith(`${root}/`)

  function open({ words, result = -1 }: SystemCall): void {
    const [path = ''] = stringsIn(words)
    if (result < 0) return
    openByDescriptor.delete(result)
    if (!isOurs(path)) return
    if (/O_DIRECTORY/.test(words) || path === root) {
      openByDescriptor.set(result, { target: { folder: path }, offset: 0 })
      return
    }
    let file = fileByPath.get(path)
    if (file === undefined) {
      if (!/O_CREAT/.test(words)) {
        // The process opens a folder only to sync it.
        openByDescriptor.set(result, { target: { folder: path }, offset: 0 })
        return
      }
      file = ++files
      fileByPath.set(path, file)
      events.push({ kind: 'name', folder: dirname(path), path, target: file })
    } else if (/O_TRUNC/.test(words)) events.push({ kind: 'truncate', file, size: 0 })
    openByDescriptor.set(result, { target: file, offset: 0 })
  }

  function write({ name, words }: SystemCall): void {
    const descriptor = Number.parseInt(words, 10)
    const [bytes] = stringsAsBytes(words)
    if (!bytes) return
    const note = descriptor === 1 ? parseNote(bytes.toString()) : undefined
    if (note?.kind === 'failed-sync') return failSync(note.descriptor)
    if (note) return void events.push({ kind: 'note', note })
    const opened = openByDescriptor.get(descriptor)
    if (!opened || typeof opened.target !== 'number') return
    const given = /", \d+, (\d+)/.exec(words.slice(words.lastIndexOf('"')))
    const offset = name === 'pwrite64' ? Number(given?.[1]) : opened.offset
    if (name !== 'pwrite64') opened.offset += bytes.length
    events.push({ kind: 'write', file: opened.target, offset, bytes })
  }

  function failSync(descriptor: number): void {
    const target = openByDescriptor.get(descriptor)?.target
    if (typeof target === 'number') events.push({ kind: 'sync-failed', file: target })
  }

  function sync({ words, begins, result }: SystemCall): void {
    const target = openByDescriptor.get(Number.parseInt(words, 10))?.target
    if (target === undefined) return
    if (typeof target === 'number') {
      if (begins) events.push({ kind: 'sync-begin', file: target })
      if (result === 0) events.push({ kind: 'sync-end', file: target })
    } else if (result === 0) events.push({ kind: 'sync-folder', ...target })
  }

  function move(words: string, keeps: boolean): void {
    const [from = '', path = ''] = stringsIn(words)
    const file = fileByPath.get(from)
    if (file === undefined) return
    fileByPath.set(path, file)
    if (!keeps) fileByPath.delete(from)
    const folder = dirname(path)
    events.push(keeps ? { kind: 'name', folder, path, target: file } : { kind: 'rename', folder, from, path })
  }

  function remove(words: string): void {
    const [path = ''] = stringsIn(words)
    if (fileByPath.delete(path)) events.push({ kind: 'name', folder: dirname(path), path, target: undefined })
  }

  function addEnded(call: SystemCall): void {
    const { name, words, result } = call
    if (name.startsWith('open')) open(call)
    else if (name === 'close') openByDescriptor.delete(Number.parseInt(words, 10))
    else if (result !== 0) return
    else if (name.startsWith('rename')) move(words, false)
    else if (name.startsWith('link')) move(words, true)
    else if (name.startsWith('unlink')) remove(words)
    else if (name.startsWith('mkdir')) {
      const [path = ''] = stringsIn(words)
      if (isOurs(path)) events.push({ kind: 'name', folder: dirname(path), path, target: 'folder' })
    } else if (name === 'ftruncate') {
      const target = openByDescriptor.get(Number.parseInt(words, 10))?.target
      const size = Number(/, (\d+)/.exec(words)?.[1])
      if (typeof target === 'number') events.push({ kind: 'truncate', file: target, size })
    }
  }

  return {
    events,
    add(call: SystemCall): void {
      if (call.name === 'write' || call.name === 'pwrite64') {
        if (call.begins) write(call)
      } else if (call.name === 'fsync' || call.name === 'fdatasync') sync(call)
      else if (call.result !== undefined) addEnded(call)
    },
  }
}

const stringsIn = (words: string): string[] => stringsAsBytes(words).map(String)

function stringsAsBytes(words: string): Buffer[] {
  return [...words.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) =>
    Buffer.from(hex.replaceAll('\\x', ''), 'hex'),
  )
}

import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Random } from '../../../sandbox/engine/core/ports.ts'
import type { DiskEvent, Recording, Target } from './recording.ts'

export interface Loss {
  readonly sectorBytes: 512 | 4_096
  readonly survival: number
  readonly growsWithZeros: boolean
}

interface Bytes {
  room: Buffer
  size: number
}

interface ModelFile {
  readonly durable: Bytes
  readonly pending: Extract<DiskEvent, { readonly kind: 'write' | 'truncate' }>[]
  /** For each sync in flight, the number of pending changes that the sync covers. */
  covered: number[]
}

type NameEvent = Extract<DiskEvent, { readonly kind: 'name' | 'rename' }>

/** A disk that keeps synced data and a random part of the unsynced sectors, file sizes and names. */
export function createDiskModel({ folder }: Pick<Recording, 'folder'>) {
  const root = join(folder, '..')
  const files = new Map<number, ModelFile>()
  const names = new Map<string, Exclude<Target, undefined>>()
  const pendingNames = new Map<string, NameEvent[]>()

  function fileOf(number: number): ModelFile {
    const file = files.get(number) ?? {
      durable: { room: Buffer.alloc(0), size: 0 },
      pending: [],
      covered: [],
    }
    files.set(number, file)
    return file
  }

  function apply(event: DiskEvent): void {
    if (event.kind === 'write' || event.kind === 'truncate') fileOf(event.file).pending.push(event)
    else if (event.kind === 'sync-begin') fileOf(event.file).covered.push(fileOf(event.file).pending.length)
    else if (event.kind === 'sync-end') endSync(fileOf(event.file))
    else if (event.kind === 'sync-failed') forget(fileOf(event.file))
    else if (event.kind === 'sync-folder') {
      for (const change of pendingNames.get(event.folder) ?? []) changeName(names, change)
      pendingNames.delete(event.folder)
    } else if (event.kind !== 'note') {
      const changes = pendingNames.get(event.folder) ?? []
      pendingNames.set(event.folder, [...changes, event])
    }
  }

  /** Writes to `target` the content that the disk has after a power loss. */
  function materialize(target: string, random: Random, loss: Loss): void {
    const survivors = new Map(names)
    for (const changes of pendingNames.values()) {
      const kept = loss.survival === 1 ? changes.length : Math.floor(random() * (changes.length + 1))
      for (const change of changes.slice(0, kept)) changeName(survivors, change)
    }
    const isThere = (path: string): boolean =>
      path === root || (survivors.get(path) === 'folder' && isThere(join(path, '..')))
    for (const [path, found] of [...survivors].toSorted(([a], [b]) => a.length - b.length)) {
      if (!isThere(join(path, '..'))) continue
      const place = join(target, relative(root, path))
      if (found === 'folder') mkdirSync(place, { mode: 0o700 })
      else writeFileSync(place, surviving(fileOf(found), random, loss), { mode: 0o600 })
    }
  }

  return { apply, materialize }
}

function endSync(file: ModelFile): void {
  const count = file.covered.shift() ?? 0
  for (const change of file.pending.splice(0, count)) changed(file.durable, change)
  file.covered = file.covered.map((each) => Math.max(0, each - count))
}

/** Discards the pending changes. No later sync writes the discarded changes, although the process still reads them. */
function forget(file: ModelFile): void {
  file.pending.splice(0)
  file.covered = file.covered.map(() => 0)
}

function changeName(names: Map<string, Exclude<Target, undefined>>, change: NameEvent): void {
  if (change.kind === 'rename') {
    const target = names.get(change.from)
    names.delete(change.from)
    if (target !== undefined) names.set(change.path, target)
  } else if (change.target === undefined) names.delete(change.path)
  else names.set(change.path, change.target)
}

function changed(bytes: Bytes, change: ModelFile['pending'][number]): void {
  if (change.kind === 'truncate') return resize(bytes, change.size)
  resize(bytes, Math.max(bytes.size, change.offset + change.bytes.length))
  change.bytes.copy(bytes.room, change.offset)
}

function resize(bytes: Bytes, size: number): void {
  if (size > bytes.room.length) {
    const larger = Buffer.alloc(2 * size)
    bytes.room.copy(larger)
    bytes.room = larger
  }
  if (size < bytes.size) bytes.room.fill(0, size, bytes.size)
  bytes.size = size
}

/** Returns the synced data and the unsynced sectors that survive. */
function surviving({ durable, pending }: ModelFile, random: Random, loss: Loss): Buffer {
  const bytes: Bytes = { ...durable, room: Buffer.from(durable.room) }
  for (const change of pending) {
    if (change.kind === 'truncate') {
      if (random() < loss.survival) changed(bytes, change)
      continue
    }
    for (const sector of sectors(change, loss.sectorBytes))
      if (random() < loss.survival) changed(bytes, sector)
    const end = change.offset + change.bytes.length
    if (loss.growsWithZeros && end > bytes.size && random() < loss.survival) resize(bytes, end)
  }
  return bytes.room.subarray(0, bytes.size)
}

type Write = Extract<DiskEvent, { readonly kind: 'write' }>

function* sectors({ offset, bytes, ...write }: Write, size: number): Iterable<Write> {
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + size - ((offset + from) % size))
    yield { ...write, offset: offset + from, bytes: bytes.subarray(from, to) }
    from = to
  }
}

export interface SystemCall {
  readonly name: string
  /** The arguments of the system call, as printed by strace. Strings are hexadecimal. */
  readonly words: string
  readonly result: number | undefined
  readonly begins: boolean
}

const CALLS =
  'openat,open,close,write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat'

const LONGEST = 16_777_216

const SCENARIO = fileURLToPath(new URL('scenario.ts', import.meta.url))

export async function traceScenario(
  folder: string,
  options: readonly string[],
  onCall: (call: SystemCall) => void,
): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'hookbench-trace-'))
  const output = join(place, 'trace')
  const how = ['-f', '--seccomp-bpf', '-xx', '-s', String(LONGEST), '-o', output, '-e', `trace=${CALLS}`]
  try {
    const command = [...how, process.execPath, SCENARIO, '--folder', folder, ...options]
    const child = spawn('strace', command, { stdio: ['ignore', 'ignore', 'inherit'] })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`The scenario ended with ${String(code)}: ${options.join(' ')}`)
    await readTrace(output, onCall)
  } finally {
    rmSync(place, { recursive: true })
  }
}

const LINE = /^(\d+)\s+(\w+)\(/

/** Calls `onCall` for each system call in the trace. strace reports an interrupted call twice: at its start and at its end. */
async function readTrace(output: string, onCall: (call: SystemCall) => void): Promise<void> {
  const begun = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(output, 'latin1') })) {
    const resumed = /^(\d+)\s+<\.\.\. (\w+) resumed>/.exec(line)
    const started = LINE.exec(line)
    if (resumed) {
      const [, thread = '', name = ''] = resumed
      onCall({ name, words: begun.get(thread) ?? '', result: resultOf(line), begins: false })
    } else if (started) {
      const [head, thread = '', name = ''] = started
      const words = line.slice(head.length)
      const isUnfinished = words.endsWith('<unfinished ...>')
      if (isUnfinished) begun.set(thread, words)
      onCall({ name, words, result: isUnfinished ? undefined : resultOf(words), begins: true })
    }
  }
}

function resultOf(line: string): number {
  return Number.parseInt(line.slice(line.lastIndexOf(' = ') + 3), 10)
}

export interface Notes {
  /** A transaction. The store must contain all entries of the transaction or none of them. */
  readonly batch: { readonly world: number; readonly from: number; readonly sums: readonly number[] }
  /** Entries that replace the world. Until the replacement, the earlier world must be complete. */
  readonly world: { readonly world: number; readonly sums: readonly number[] }
  /** All entries up to this position are acknowledged. */
  readonly kept: { readonly world: number; readonly position: number }
  /** A named world is now being added or removed. */
  readonly 'named-world': { readonly name: string }
  /** The length or the removal of a named world is now acknowledged. */
  readonly 'kept-named-world': { readonly name: string; readonly length: number | 'removed' }
  /** A sync has failed. A failed sync discards all unsynced data on the disk. */
  readonly 'failed-sync': { readonly descriptor: number }
}

export type Note = { readonly [Kind in keyof Notes]: Notes[Kind] & { readonly kind: Kind } }[keyof Notes]

const MARK = 'power-loss-note '

export function formatNote<Kind extends keyof Notes>(kind: Kind, about: Notes[Kind]): string {
  return `${MARK}${JSON.stringify({ kind, ...about })}\n`
}

export function parseNote(text: string): Note | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `formatNote` writes this text
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as Note) : undefined
}

import { readdirSync, rmSync, createReadStream, existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { World } from '../../spec/generated/control-types.ts'
import { DEFAULT_WORLD } from '../../spec/world-name.ts'
import { commandLine, quoteForShell } from '../engine/core/command-line.ts'
import { replaceFileByPieces, syncFolder } from './files.ts'

const NAME = 'before-check'
const PATTERN = /^before-check(?:-([^.]+)\.\d+)?\.json$/

/** Returns the path of the snapshot that a run of checks stores. Removes snapshots of earlier worlds with this name. */
export function findKeptWorldPlace(
  data: string,
  { name, created_at }: Pick<World, 'name' | 'created_at'>,
): string {
  if (name === DEFAULT_WORLD) return join(data, `${NAME}.json`)
  // A dot separates the name from the time, because the name of a world cannot contain a dot.
  const file = `${NAME}-${name}.${Date.parse(created_at)}.json`
  removeKeptWorlds(data, name, file)
  return join(data, file)
}

function removeKeptWorlds(data: string, name: string, except?: string): void {
  for (const file of namesIn(data))
    if (file.startsWith(`${NAME}-${name}.`) && file !== except) rmSync(join(data, file), { force: true })
}

export function recoveryPathOf(storePath: string | undefined, id: string): string | undefined {
  if (storePath === undefined) return undefined
  return id === DEFAULT_WORLD ? `${storePath}.recovery` : `${storePath}.${id}.recovery`
}

export function removeSnapshots(
  storePath: string | undefined,
  { id, name }: { readonly id: string; readonly name: string },
): void {
  const path = recoveryPathOf(storePath, id)
  if (path === undefined) return
  rmSync(path, { force: true })
  removeKeptWorlds(dirname(path), name)
}

/** A snapshot of a world, taken before a run of checks. */
export interface LeftWorld {
  readonly world: string
  readonly path: string
}

/** Returns the snapshots of current runs, and of interrupted runs that did not restore their world. Does not change any file. */
export function findLeftWorlds(data: string): readonly LeftWorld[] {
  return namesIn(data).flatMap((file) => {
    const [, world = DEFAULT_WORLD] = PATTERN.exec(file) ?? []
    return PATTERN.test(file) ? [{ world, path: join(data, file) }] : []
  })
}

export interface LeftWorldAdvice {
  readonly message: string
  readonly remedy: string
}

export function adviseOnLeftWorlds(data: string): readonly LeftWorldAdvice[] {
  return findLeftWorlds(data).map((left) => adviseOnLeftWorld(left, data))
}

function adviseOnLeftWorld(left: LeftWorld, data: string): LeftWorldAdvice {
  return {
    message: `A run of checks uses world "${left.world}" now, or ended before it restored this world`,
    remedy: `if no run is in progress, restore the world with "${restoreLeftWorldCommand(left, data)}"`,
  }
}

export function restoreLeftWorldCommand({ world, path }: LeftWorld, data: string): string {
  const target = { data, ...(world !== DEFAULT_WORLD && { world }) }
  return commandLine(`snapshot restore ${quoteForShell(path)}`, target)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A file that stores the snapshot of a world until the world is restored. */
export interface RecoveryFile {
  /** Writes the snapshot. Resolves when the file is durable. Rejects with errors of the file system or of `pieces`. */
  keep(pieces: AsyncIterable<Uint8Array>): Promise<void>
  exists(): boolean
  read(): AsyncIterable<Uint8Array> | undefined
  /** Removes the file durably, so that the file does not reappear after a power loss. */
  forget(): void
}

export function createRecoveryFile(path: string, sync = syncFolder): RecoveryFile {
  return {
    async keep(pieces) {
      // Only the owner can read the file, because a snapshot can contain secrets.
      await replaceFileByPieces(path, pieces, { mode: 0o600, flush: true })
      sync(dirname(path))
    },
    exists: () => existsSync(path),
    read: () => (existsSync(path) ? createReadStream(path) : undefined),
    forget() {
      rmSync(path, { force: true })
      sync(dirname(path))
    },
  }
}

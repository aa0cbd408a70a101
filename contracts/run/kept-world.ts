import { join } from 'node:path'
import { Readable } from 'node:stream'
import { DEFAULT_WORLD } from '../../spec/world-name.ts'
import {
  commandLine,
  createRecoveryFile,
  findRun,
  quoteForShell,
  readSnapshot,
  UsageError,
  writeSnapshot,
  type RecoveryFile,
} from '../../sandbox/internal.ts'
import type { AttachedService } from '../toolkit/options.ts'

/** The world of a sandbox that a run uses, until it is put back. */
export interface KeptWorld {
  putBack(): Promise<void>
}

/**
 * Keeps the world as it is now, in the data folder where that is at hand: a run that is killed leaves it there. Throws UsageError where
 * one is kept already.
 */
export async function keepWorld(service: AttachedService): Promise<KeptWorld> {
  if (service.keepsWorld) return { putBack: () => Promise.resolve() }
  return findRun(service.data)?.bench_url === service.url ? keepInFile(service) : keepInMemory(service)
}

async function keepInFile(service: AttachedService): Promise<KeptWorld> {
  const { data, world } = service
  const suffix = world === undefined || world === DEFAULT_WORLD ? '' : `-${world}`
  const path = join(data, `before-check${suffix}.json`)
  const file = createRecoveryFile(path)
  refuseKept(file, path, service)
  await file.keep(readSnapshot(service))
  return {
    async putBack() {
      const pieces = file.read()
      if (!pieces) return
      await writeSnapshot(service, pieces)
      file.forget()
    },
  }
}

function refuseKept(file: RecoveryFile, path: string, service: AttachedService): void {
  if (!file.exists()) return
  throw new UsageError(
    `Cannot use the sandbox: another run does, or one was cut off before it had put back the world of "${path}"; put it back with "${commandLine(`snapshot restore ${quoteForShell(path)}`, service)}", and delete that file`,
  )
}

async function keepInMemory(service: AttachedService): Promise<KeptWorld> {
  const pieces: Uint8Array[] = []
  for await (const piece of readSnapshot(service)) pieces.push(piece)
  return {
    async putBack() {
      await writeSnapshot(service, Readable.from(pieces))
    },
  }
}

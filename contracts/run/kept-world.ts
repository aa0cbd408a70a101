import { Readable } from 'node:stream'
import type { AttachedService, OwnWorld } from '../toolkit/options.ts'
import {
  createControlClient,
  createRecoveryFile,
  findKeptWorldPlace,
  findRun,
  printWarning,
  readSnapshot,
  RefusedError,
  restoreLeftWorldCommand,
  UnreachableError,
  UsageError,
  writeSnapshot,
  type LeftWorld,
  type RecoveryFile,
} from '../../sandbox/internal.ts'
import type { World } from '../../spec/generated/control-types.ts'

interface KeptWorld {
  putBack(): Promise<void>
}

/**
 * Saves the world, in its data folder if that is available. A killed run leaves the file there. Throws
 * UsageError if a saved world from an earlier run exists.
 */
export async function keepWorld(service: AttachedService): Promise<KeptWorld> {
  if (service.keepsWorld) return { putBack: () => Promise.resolve() }
  return findRun(service.data)?.bench_url === service.url ? keepInFile(service) : keepInMemory(service)
}

async function keepInFile(service: AttachedService): Promise<KeptWorld> {
  const world = await findWorld(service)
  const path = findKeptWorldPlace(service.data, world)
  const file = createRecoveryFile(path)
  refuseKept(file, { world: world.name, path }, service)
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

async function findWorld(service: AttachedService): Promise<World> {
  const perform = createControlClient(service)
  if (service.world !== undefined) return perform('getWorld', { path: { name: service.world } })
  // A token opens one world, or the default world first.
  const [world] = (await perform('listWorlds')).worlds
  if (world) return world
  throw new Error('A sandbox without worlds')
}

function refuseKept(file: RecoveryFile, left: LeftWorld, { data }: AttachedService): void {
  if (!file.exists()) return
  throw new UsageError(
    `Cannot use the sandbox: a run was killed before it had restored world "${left.world}". Restore it with "${restoreLeftWorldCommand(left, data)}"`,
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

/**
 * Adds a world with the credentials of the run and a stopped clock. Throws UsageError if the sandbox rejects
 * it, and UnreachableError.
 */
export async function addOwnWorld({ name, lifetimeSeconds }: OwnWorld, service: AttachedService) {
  // A world cannot add or remove itself.
  const perform = createControlClient({ ...service, world: undefined })
  const credentials = { ...service.credentials }
  try {
    await perform('addWorld', { body: { name, speed: 0, ttl_seconds: lifetimeSeconds, credentials } })
  } catch (cause) {
    if (!(cause instanceof RefusedError)) throw cause
    const remedy = cause.hint === undefined ? '' : `; ${cause.hint}`
    throw new UsageError(`Cannot check in a new world: ${cause.message}${remedy}`, { cause })
  }
  return {
    async remove() {
      try {
        await perform('removeWorld', { path: { name } })
      } catch (error) {
        // A failed removal must not lose the results.
        if (!(error instanceof RefusedError || error instanceof UnreachableError)) throw error
        if (error instanceof RefusedError && error.code === 'unknown_world') return
        const when = `${lifetimeSeconds} seconds after it was added`
        printWarning(`World "${name}" is left, and goes by itself ${when}: ${error.message}`)
      }
    },
  }
}

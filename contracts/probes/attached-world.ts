import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
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
  startSentence,
  UnreachableError,
  UsageError,
  writeSnapshot,
  type Perform,
} from '../../sandbox/internal.ts'

/** Reserves a world. The returned functions fail if the claim is lost. Throws DataFolderError, UnreachableError or UsageError. */
export async function takeWorld(service: AttachedService) {
  const perform = createControlClient(service)
  if (service.ownWorld) return { perform, end: (await addOwnWorld(service.ownWorld, service)).remove }
  // Checks that the sandbox responds before the world is saved.
  await perform('getHealth')
  if (service.isConducted) return { perform, end: (await keepWorld(service)).putBack }
  const claim = await claimWorld(perform)
  try {
    const { putBack } = await keepWorld(service)
    return { perform: claim.guard(perform), end: () => claim.end(putBack) }
  } catch (error) {
    await claim.end(() => Promise.resolve())
    throw error
  }
}

/** The interval at which a claim is renewed, in milliseconds. The interval is much shorter than the lifetime of a claim. */
const AGAIN_MS = 4_000
const CERTAIN_MS = 12_000

const realTimes = {
  elapsed: () => performance.now(),
  /** Calls `run` every `ms` milliseconds. Returns a function that stops the calls. */
  every(ms: number, run: () => void): () => void {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
}

/** Throws UsageError if another run has claimed the world. */
export async function claimWorld(perform: Perform, times = realTimes) {
  const id = randomUUID()
  const by = `a run on ${hostname()}`.slice(0, 200)
  let certainUntil = 0
  let loss: UnreachableError | undefined

  async function claim(): Promise<void> {
    const before = times.elapsed()
    await perform('claimWorld', { path: { id }, body: { by } })
    certainUntil = before + CERTAIN_MS
  }

  async function claimAgain(): Promise<void> {
    if (loss) throw loss
    try {
      await claim()
    } catch (error) {
      if (isTaken(error)) loss = toLoss(error)
      throw loss ?? error
    }
  }

  await claim().catch((error: unknown) => {
    if (!isTaken(error)) throw error
    const hint = 'or give each run its own world, with --world new'
    const remedy = `${startSentence(error.hint ?? 'wait for the other run')}, ${hint}`
    throw new UsageError(`${error.message}. ${remedy}`, { cause: error })
  })
  // Ignores errors, because the next renewal tries again. If the claim is lost, the next operation fails.
  const stop = times.every(AGAIN_MS, () => void claimAgain().catch(() => {}))

  return {
    /** Wraps `guarded` in a function that rejects with UnreachableError after another run has claimed the world. */
    guard(guarded: Perform): Perform {
      return async (operation, ...input) => {
        if (loss || times.elapsed() >= certainUntil) await claimAgain()
        return guarded(operation, ...input)
      }
    },
    /** Ends the claim. Calls `putBack` first, unless another run has claimed the world. */
    async end(putBack: () => Promise<void>): Promise<void> {
      try {
        await claimAgain().catch(() => {})
        if (loss) console.error(`hookbench: Cannot restore the world: ${loss.state}`)
        else await putBack()
      } finally {
        stop()
        if (!loss) await perform('releaseWorld', { path: { id } }).catch(() => {})
      }
    },
  }
}

const isTaken = (error: unknown): error is RefusedError =>
  error instanceof RefusedError && error.code === 'run_under_way'

/** Returns the error for a claim that expired before another run claimed the world. */
function toLoss(cause: RefusedError): UnreachableError {
  const state = `another run has claimed the world (${cause.message})`
  return lostWorldError(state, 'give each run its own world, with --world new', cause)
}

export function lostWorldError(state: string, hint: string, cause: RefusedError): UnreachableError {
  return new UnreachableError('continue the run', { code: 'lost_world', state, hint, cause })
}

/** Saves a snapshot that remains if the run is killed. Throws UsageError if an earlier run has left its snapshot file. */
export async function keepWorld(service: AttachedService) {
  if (service.keepsWorld) return { putBack: () => Promise.resolve() }
  if (findRun(service.data)?.bench_url !== service.url) {
    const pieces = await Array.fromAsync(readSnapshot(service))
    return { putBack: async () => void (await writeSnapshot(service, Readable.from(pieces))) }
  }
  const world = await findWorld(service)
  const path = findKeptWorldPlace(service.data, world)
  const file = createRecoveryFile(path)
  if (file.exists()) {
    const command = restoreLeftWorldCommand({ world: world.name, path }, service.data)
    throw new UsageError(
      `Cannot use the sandbox: a killed run has not restored world "${world.name}". Restore the world with "${command}"`,
    )
  }
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

async function findWorld(service: AttachedService) {
  const perform = createControlClient(service)
  if (service.world !== undefined) return perform('getWorld', { path: { name: service.world } })
  // The list begins with the world of the token. If the token belongs to no world, the list begins with the default world.
  const [world] = (await perform('listWorlds')).worlds
  if (world) return world
  throw new Error('Cannot find a world: the sandbox has no worlds')
}

/** Throws UsageError if the sandbox rejects the world, and UnreachableError if the sandbox does not respond. */
export async function addOwnWorld({ name, lifetimeSeconds }: OwnWorld, service: AttachedService) {
  // The client does not select a world, because a request to a world cannot add or remove that world.
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
        // A failed removal of the world must not discard the results of the run.
        if (!(error instanceof RefusedError || error instanceof UnreachableError)) throw error
        if (error instanceof RefusedError && error.code === 'unknown_world') return
        const when = `${lifetimeSeconds} seconds after the run added it`
        printWarning(`Cannot remove world "${name}": ${error.message}. The sandbox removes the world ${when}`)
      }
    },
  }
}

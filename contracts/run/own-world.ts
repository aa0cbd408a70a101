import type { AttachedService, OwnWorld } from '../toolkit/options.ts'
import {
  createControlClient,
  printWarning,
  RefusedError,
  UnreachableError,
  UsageError,
} from '../../sandbox/internal.ts'

/** A world of a run's own on a sandbox that runs. */
interface AddedWorld {
  /** Removes it with all that it has. Never rejects: what cannot be removed now goes by itself. */
  remove(): Promise<void>
}

/** Adds it, with the credentials of the run and a clock that stands. Throws UsageError for what the sandbox refuses, and UnreachableError. */
export async function addOwnWorld(
  { name, lifetimeSeconds }: OwnWorld,
  service: AttachedService,
): Promise<AddedWorld> {
  // No world adds or removes itself.
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
        // What the run has found is not lost for that.
        if (!(error instanceof RefusedError || error instanceof UnreachableError)) throw error
        // It has gone already.
        if (error instanceof RefusedError && error.code === 'unknown_world') return
        const when = `${lifetimeSeconds} seconds after it was added`
        printWarning(`World "${name}" is left, and goes by itself ${when}: ${error.message}`)
      }
    },
  }
}

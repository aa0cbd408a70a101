import type { AttachedService } from '../toolkit/options.ts'
import { RefusedError, UnreachableError, type Perform } from '../../sandbox/internal.ts'

/** Codes by which a sandbox says that it is none of the call's doing, and that the same call may be taken later. */
const PASSING: ReadonlySet<string | undefined> = new Set(['storage_full', 'storage_gone'])

/**
 * What a run asks of its sandbox while it is under way. Where its world goes, or takes nothing any more, nothing is known of the
 * receiver: that is an UnreachableError with the remedy, and no refusal.
 */
export function explainLoss(perform: Perform, service: Pick<AttachedService, 'world' | 'ownWorld'>): Perform {
  return async (id, ...input) => {
    try {
      return await perform(id, ...input)
    } catch (error) {
      throw error instanceof RefusedError ? (toLoss(error, service) ?? error) : error
    }
  }
}

function toLoss(
  cause: RefusedError,
  { world = 'default', ownWorld }: Pick<AttachedService, 'world' | 'ownWorld'>,
): UnreachableError | undefined {
  const { code, message } = cause
  const attempt = 'go on with the run'
  if (code === 'unknown_world') {
    const ttl = `its ${ownWorld?.lifetimeSeconds} seconds are over, or somebody removed it`
    const [why, hint] = ownWorld
      ? [ttl, 'give it longer than the run takes, with --ttl or "service.ttlSeconds"']
      : ['somebody removed it', 'add it, and run it again']
    return new UnreachableError(attempt, {
      code: 'lost_world',
      state: `world "${world}" is there no more: ${why}`,
      hint,
      cause,
    })
  }
  if (!PASSING.has(code)) return undefined
  return new UnreachableError(attempt, { code: 'lost_world', state: message, hint: 'run it again', cause })
}

import { ApiError } from '../http/api-error.ts'
import { timestamp } from '../operations/operation.ts'
import type { Clock } from '../ports.ts'
import type { Store } from '../state/store.ts'

export interface AdvancePorts {
  readonly clock: Clock
  readonly store: Store
  /** How many attempts have ended so far. */
  readonly attempts: () => number
  /** When anything is due next, among what is not due yet. */
  readonly nextDueAt: () => number | undefined
  /** Resolves when nothing is due now or under way. */
  readonly idle: () => Promise<void>
  /** Whether the sandbox is being closed: then nothing more is made due. */
  readonly stopped: () => boolean
}

/**
 * Moves the clock to `to`, from due instant to due instant, and waits for the attempts of each; tells how many were
 * made. Throws ApiError `conflict` while another advance is under way.
 */
export function createAdvance(ports: AdvancePorts): (to: number) => Promise<number> {
  const { clock, store, attempts, nextDueAt, idle, stopped } = ports
  let goal: number | undefined

  async function advance(to: number): Promise<number> {
    const before = attempts()
    await idle()
    for (let next = nextDueAt(); next !== undefined && next <= to && !stopped(); next = nextDueAt()) {
      clock.moveTo(next)
      await idle()
    }
    // What was due on the way and was not attempted stays due: the clock must not pass it by.
    if (stopped()) throw new ApiError('conflict', 'Cannot advance: the sandbox is stopping')
    clock.moveTo(to)
    await store.commit([{ head: { kind: 'clock', at: clock.now() }, body: '' }])
    return attempts() - before
  }

  return async (to) => {
    if (goal !== undefined) {
      throw new ApiError('conflict', `Cannot advance: an advance to ${timestamp(goal)} is under way`)
    }
    goal = to
    try {
      return await advance(to)
    } finally {
      goal = undefined
    }
  }
}

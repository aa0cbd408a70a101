import { ApiError } from '../http/api-error.ts'
import { timestamp } from '../operations/operation.ts'
import type { Clock } from '../ports.ts'
import type { Store } from '../state/store.ts'
import type { Dispatcher } from './dispatcher.ts'

export interface AdvancePorts {
  readonly clock: Clock
  readonly store: Store
  readonly dispatcher: Dispatcher
}

/**
 * Moves the clock to `to`, from due instant to due instant, and waits for the attempts of each; tells how many were
 * made. Throws ApiError `conflict` while another advance is under way.
 */
export function createAdvance({ clock, store, dispatcher }: AdvancePorts): (to: number) => Promise<number> {
  let goal: number | undefined

  async function advance(to: number): Promise<number> {
    const before = dispatcher.attempts
    await dispatcher.idle()
    for (let next = dispatcher.nextDueAt(); next !== undefined && next <= to; next = dispatcher.nextDueAt()) {
      clock.moveTo(next)
      await dispatcher.idle()
    }
    clock.moveTo(to)
    await store.commit([{ head: { kind: 'clock', at: clock.now() }, body: '' }])
    return dispatcher.attempts - before
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

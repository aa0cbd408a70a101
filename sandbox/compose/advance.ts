import { ApiError } from '../engine/core/api-error.ts'
import type { Clock } from '../engine/core/ports.ts'
import { timestamp } from '../engine/core/timestamp.ts'
import type { Store } from '../engine/state/store.ts'
import type { Scheduler } from './scheduler.ts'

export interface AdvancePorts {
  readonly clock: Clock
  readonly store: Store
  readonly scheduler: Scheduler
}

export interface Advance {
  /**
   * Moves the clock to `to`, from due instant to due instant, and waits for the attempts of each; returns how many were made.
   * Throws ApiError `conflict` while another advance is under way.
   */
  to(time: number): Promise<number>
  /** Throws ApiError `conflict`, saying what cannot be done, if one is under way. */
  refuseWhileUnderWay(what: string): void
}

export function createAdvance({ clock, store, scheduler }: AdvancePorts): Advance {
  let goal: number | undefined

  async function advance(to: number): Promise<number> {
    const { nextDueAt, idle } = scheduler
    const before = scheduler.dispatcher.attempts
    await idle()
    for (let next = nextDueAt(); next !== undefined && next <= to && !scheduler.stopped; next = nextDueAt()) {
      clock.moveTo(next)
      await idle()
    }
    // What was due on the way and was not attempted stays due: the clock must not pass it by.
    if (scheduler.stopped) throw new ApiError('conflict', 'Cannot advance: the sandbox is stopping')
    clock.moveTo(to)
    await store.commit([{ head: { kind: 'clock', at: clock.now() }, body: '' }])
    return scheduler.dispatcher.attempts - before
  }

  function refuseWhileUnderWay(what: string): void {
    if (goal === undefined) return
    throw new ApiError('conflict', `Cannot ${what}: an advance to ${timestamp(goal)} is under way`)
  }

  return {
    async to(time) {
      refuseWhileUnderWay('advance')
      goal = time
      try {
        return await advance(time)
      } finally {
        goal = undefined
      }
    },
    refuseWhileUnderWay,
  }
}

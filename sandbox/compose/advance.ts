import { ApiError } from '../engine/core/api-error.ts'
import type { Clock } from '../engine/core/ports.ts'
import { timestamp } from '../engine/core/timestamp.ts'
import type { Player } from '../engine/payments/player.ts'
import type { Payment } from '../engine/state/entries.ts'
import type { Store } from '../engine/state/store.ts'
import type { Scheduler, WorkScope } from './scheduler.ts'

export type Advance = ReturnType<typeof createAdvance>

export function createAdvance(clock: Clock, store: Store, scheduler: Scheduler) {
  let goal: number | undefined
  let replacing: object | undefined

  async function advance(time: number, kind: 'instant' | 'step', scope: WorkScope): Promise<number> {
    const { nextDueAt, idle } = scheduler
    const before = scheduler.dispatcher.attempts()
    const beganAt = clock.now()
    await idle(scope)
    const to = kind === 'step' ? time + clock.now() - beganAt : time
    if (store.problem) throw store.problem
    for (let next = nextDueAt(); next !== undefined && next <= to && !scheduler.stopped; next = nextDueAt()) {
      clock.moveTo(next)
      await idle(scope)
      if (store.problem) throw store.problem
    }
    // A stopping sandbox does not send due attempts, so the clock must not pass their due times.
    if (scheduler.stopped) throw new ApiError('conflict', 'Cannot advance: the sandbox is stopping')
    clock.moveTo(to)
    await store.commit([{ head: { kind: 'clock', at: clock.now() }, body: '' }])
    return scheduler.dispatcher.attempts() - before
  }

  function refuseWhileUnderWay(what: string): void {
    if (replacing) throw new ApiError('conflict', `Cannot ${what}: the world is being replaced`)
    if (goal === undefined) return
    throw new ApiError('conflict', `Cannot ${what}: an advance to ${timestamp(goal)} is in progress`)
  }

  return {
    /**
     * Moves the clock to `time`, stopping at each due time. At each due time, waits for the jobs and payments that are due at the start of the wait. Ignores later jobs, because under a steady load the wait would never end.
     *
     * A `step` starts when all due work has been sent, because sending can move the clock. So a five-minute step includes every retry that is due five minutes after its start.
     *
     * Returns the number of attempts. Throws ApiError `conflict` if another advance is in progress. If due work cannot be
     * recorded, throws StorageError and does not move the clock.
     */
    async to(time: number, kind: 'instant' | 'step' = 'instant'): Promise<number> {
      refuseWhileUnderWay('advance')
      goal = time
      const { end, ...scope } = createScope(store, scheduler.player)
      try {
        return await advance(time, kind, scope)
      } finally {
        goal = undefined
        end()
      }
    },
    refuseWhileUnderWay,
    /** Rejects new advances while the world is being replaced. Returns a function that allows advances again. */
    refuse(): () => void {
      const mine = {}
      replacing = mine
      return () => {
        if (replacing === mine) replacing = undefined
      }
    },
  }
}

/** Creates a scope of work: the jobs and payments that exist now, and the jobs that these payments create later. */
function createScope(store: Store, player: Player): WorkScope & { readonly end: () => void } {
  const [jobCount, paymentCount] = [store.jobCount(), store.paymentCount()]
  const added = new Set<number>()
  const hasPayment = ({ id }: Payment) => store.paymentOrdinal(id) < paymentCount
  const end = player.onStep(({ payment, firstJob, endOfJobs }) => {
    if (!hasPayment(payment)) return
    for (let ordinal = firstJob; ordinal < endOfJobs; ordinal++) added.add(ordinal)
  })
  return { hasJob: ({ ordinal }) => ordinal < jobCount || added.has(ordinal), hasPayment, end }
}

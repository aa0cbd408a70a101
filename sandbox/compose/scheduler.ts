import type { Waiting } from '../../spec/generated/control-types.ts'
import { createDispatcher, type Dispatcher, type DispatcherPorts } from '../engine/delivery/dispatcher.ts'
import type { Gates } from '../engine/faults/gates.ts'
import type { JobRecord } from '../engine/state/job.ts'
import type { Payment } from '../engine/state/payment.ts'
import { createPlayer, type Player, type PlayerPorts } from '../engine/payments/player.ts'

export interface SchedulerPorts
  extends Omit<DispatcherPorts, 'onError'>, Pick<PlayerPorts, 'context' | 'commit'> {
  readonly gates: Gates
  /** Called with an unexpected error and its job or payment. */
  readonly onError: (where: string, error: unknown) => void
}

export interface WorkScope {
  hasJob(job: JobRecord): boolean
  hasPayment(payment: Payment): boolean
}

/** Starts deliveries and payment steps. */
export interface Scheduler {
  /** The dispatcher of the present world. Read it for each use. */
  readonly dispatcher: Dispatcher
  readonly player: Player
  /** True after a stop. No more work becomes due. */
  readonly stopped: boolean
  /** Loads pending work from the store and starts to send. */
  start(): void
  nextDueAt(): number | undefined
  /**
   * Resolves when no work of the scope is due or in flight, except work that faults hold back. Includes work that it causes.
   */
  idle(scope?: WorkScope): Promise<void>
  /**
   * Waits until no work is due, in flight, held back or lagging, for at most `timeoutMs` of real time. Returns the rest.
   * Reading: job-recording-lag
   */
  settle(timeoutMs: number): Promise<readonly Waiting[]>
  /** Lists work that is due, in flight, held back or lagging. */
  waiting(): readonly Waiting[]
  /** Counts a POST outside deliveries as in flight, such as a test message or a crafted delivery. */
  duringPost<Result>(post: () => Promise<Result>): Promise<Result>
  /** Forgets work of the old world and loads the pending work of the new one, if it was started. */
  restart(): void
  /** Starts nothing more. Resolves when the work in flight has ended. */
  stop(): Promise<void>
}

export function createScheduler(ports: SchedulerPorts): Scheduler {
  let current = createMovers(ports)
  let posts = 0
  let started = false
  let stopped = false

  function start(): void {
    started = true
    current.dispatcher.start()
    current.player.start()
  }

  const idle = (scope?: WorkScope) => untilIdle(current, scope)
  const waiting = () => countWaiting({ ...current, posts }, ports)

  return {
    get dispatcher() {
      return current.dispatcher
    },
    get player() {
      return current.player
    },
    get stopped() {
      return stopped
    },
    start,
    nextDueAt: () => nextDueAt(current),
    idle,
    waiting,
    settle: (timeoutMs) => settle(timeoutMs, { idle, countWaiting: waiting }, ports),
    async duringPost(post) {
      posts++
      try {
        return await post()
      } finally {
        posts--
      }
    },
    restart() {
      current.player.stop()
      current.dispatcher.abandon()
      current = createMovers(ports)
      // Loads a world that was restored before the start.
      if (started) start()
    },
    stop() {
      stopped = true
      current.player.stop()
      return current.dispatcher.stop()
    },
  }
}

type Movers = Pick<Scheduler, 'dispatcher' | 'player'>

function createMovers(ports: SchedulerPorts): Movers {
  const { onError } = ports
  return {
    dispatcher: createDispatcher({ ...ports, onError: ({ id }, error) => onError(`job ${id}`, error) }),
    player: createPlayer({ ...ports, onError: ({ id }, error) => onError(`payment ${id}`, error) }),
  }
}

async function untilIdle(
  { dispatcher, player }: Movers,
  { hasJob, hasPayment }: Partial<WorkScope> = {},
): Promise<void> {
  await dispatcher.idle(hasJob)
  while (player.pending(hasPayment) > 0) {
    await player.idle(hasPayment)
    await dispatcher.idle(hasJob)
  }
}

function nextDueAt({ dispatcher, player }: Movers): number | undefined {
  const next = Math.min(
    dispatcher.nextDueAt() ?? Number.POSITIVE_INFINITY,
    player.nextDueAt() ?? Number.POSITIVE_INFINITY,
  )
  return next === Number.POSITIVE_INFINITY ? undefined : next
}

function countWaiting(
  { dispatcher, player, posts }: Movers & { readonly posts: number },
  { gates }: SchedulerPorts,
): readonly Waiting[] {
  const counts = [
    ['attempts', dispatcher.pending()],
    ['posts', posts],
    ['payment_steps', player.pending()],
    ['held_by_fault', gates.count],
    ['recording_lag', dispatcher.lagging()],
  ] as const
  return counts.flatMap(([what, count]) => (count > 0 ? [{ what, count }] : []))
}

/** Only time ends a lag, so it is polled. */
const LAG_MS = 20

async function settle(
  timeoutMs: number,
  rest: Pick<Scheduler, 'idle'> & { readonly countWaiting: () => readonly Waiting[] },
  { gates, realTime }: SchedulerPorts,
): Promise<readonly Waiting[]> {
  const late = Promise.withResolvers<void>()
  let isLate = false
  const cancel = realTime.after(timeoutMs, () => {
    isLate = true
    late.resolve()
  })
  // Under a steady load the sandbox might never be idle.
  const isAwaited = () => !isLate
  try {
    for (;;) {
      await Promise.race([rest.idle({ hasJob: isAwaited, hasPayment: isAwaited }), late.promise])
      const waiting = rest.countWaiting()
      if (isLate || waiting.length === 0) return waiting
      const soon = Promise.withResolvers<void>()
      const cancelSoon = realTime.after(LAG_MS, () => soon.resolve())
      await Promise.race([gates.changed(), soon.promise, late.promise])
      cancelSoon()
    }
  } finally {
    cancel()
  }
}

import type { Waiting } from '../../spec/generated/control-types.ts'
import { createDispatcher, type Dispatcher, type DispatcherPorts } from '../engine/delivery/dispatcher.ts'
import type { Gates } from '../engine/faults/gates.ts'
import type { JobRecord } from '../engine/state/job.ts'
import type { Payment } from '../engine/state/payment.ts'
import { createPlayer, type Player, type PlayerPorts } from '../engine/payments/player.ts'

export interface SchedulerPorts
  extends Omit<DispatcherPorts, 'onError'>, Pick<PlayerPorts, 'context' | 'commit'> {
  readonly gates: Gates
  /** Called with what should not happen, with the job or payment that it happened to. */
  readonly onError: (where: string, error: unknown) => void
}

/** Some of the jobs and payments. */
export interface WorkScope {
  hasJob(job: JobRecord): boolean
  hasPayment(payment: Payment): boolean
}

/** What moves a world by itself: deliveries and payments. */
export interface Scheduler {
  /** Those of the world that there is now: look at each use. */
  readonly dispatcher: Dispatcher
  readonly player: Player
  /** Whether it was stopped: then nothing more is made due. */
  readonly stopped: boolean
  /** Takes up what the store has pending, and sends from now on. */
  start(): void
  nextDueAt(): number | undefined
  /**
   * Resolves when nothing of these jobs and payments, or of any, is due now or under way, except what faults hold back. What one
   * makes due is waited for too.
   */
  idle(scope?: WorkScope): Promise<void>
  /**
   * Waits until nothing is due now, under way, held back by a fault or lagging, for `timeoutMs` of real time at most; returns
   * what is still waited for then, or nothing. Reading: job-recording-lag
   */
  settle(timeoutMs: number): Promise<readonly Waiting[]>
  /** What is due now, under way, held back by a fault or lagging; nothing if all is at rest. */
  waiting(): readonly Waiting[]
  /** Counts a post outside deliveries, such as a test message or a crafted one, as under way until it has ended. */
  duringPost<Result>(post: () => Promise<Result>): Promise<Result>
  /** Forgets what is under way, whose world is gone, and takes up what the store has pending now, if it was started. */
  restart(): void
  /** Starts nothing more; resolves when what is under way has ended. */
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
      // A world that is put back before the start is taken up then, once.
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

/** What is not at rest; empty if everything is. */
function countWaiting(
  { dispatcher, player, posts }: Movers & { readonly posts: number },
  { gates }: SchedulerPorts,
): readonly Waiting[] {
  const counts = [
    ['attempts', dispatcher.pending],
    ['posts', posts],
    ['payment_steps', player.pending()],
    ['held_by_fault', gates.count],
    ['recording_lag', dispatcher.lagging],
  ] as const
  return counts.flatMap(([what, count]) => (count > 0 ? [{ what, count }] : []))
}

/** How often it looks again while an attempt does not show yet: what ends a lag is time alone. */
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
  // Nobody waits on when it is late: under a steady load nothing might ever be idle.
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

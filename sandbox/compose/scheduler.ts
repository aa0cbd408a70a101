import type { Waiting } from '../../spec/generated/control-types.ts'
import { createDispatcher, type DispatcherPorts } from '../engine/delivery/dispatcher.ts'
import type { Gates } from '../engine/faults/gates.ts'
import type { JobRecord } from '../engine/state/job.ts'
import type { Payment } from '../engine/state/entries.ts'
import { createPlayer, type PlayerPorts } from '../engine/payments/player.ts'

export interface SchedulerPorts
  extends Omit<DispatcherPorts, 'onError'>, Pick<PlayerPorts, 'context' | 'commit'> {
  readonly gates: Gates
  /** Called with an unexpected error. `where` names the job or the payment. */
  readonly onError: (where: string, error: unknown) => void
}

export interface WorkScope {
  hasJob(job: JobRecord): boolean
  hasPayment(payment: Payment): boolean
}

export type Scheduler = ReturnType<typeof createScheduler>

export function createScheduler(ports: SchedulerPorts) {
  let current = createMovers(ports)
  let posts = 0
  let started = false
  let stopped = false

  function start(): void {
    started = true
    current.dispatcher.start()
    current.player.start()
  }

  /** Resolves when no work of the scope is due or in flight. Includes follow-up work, and ignores work that a fault delays. */
  const idle = (scope?: WorkScope) => untilIdle(current, scope)
  /** Lists work that is due, in flight, delayed by a fault, or waiting to be recorded. */
  const waiting = () => listWaiting(current, posts, ports.gates)

  return {
    /** The dispatcher of the current world. Do not cache the dispatcher, because a restore replaces it. */
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
    /** Waits until no work is left, for at most `timeoutMs`. Returns the remaining work. Reading: job-recording-lag */
    settle: (timeoutMs: number) => settle(timeoutMs, { idle, waiting }, ports),
    /** Counts a POST that delivers no job, such as a test POST, as in flight. */
    async duringPost<Result>(post: () => Promise<Result>): Promise<Result> {
      posts++
      try {
        return await post()
      } finally {
        posts--
      }
    },
    /** Drops the work of the replaced world. If the scheduler was started, loads the pending work of the new world. */
    restart(): void {
      current.player.stop()
      current.dispatcher.abandon()
      current = createMovers(ports)
      // If the scheduler has not started yet, `start` loads the restored world later.
      if (started) start()
    },
    /** Starts no further work. Resolves when the work in flight has ended. */
    stop(): Promise<void> {
      stopped = true
      current.player.stop()
      return current.dispatcher.stop()
    },
  }
}

type Movers = ReturnType<typeof createMovers>

function createMovers(ports: SchedulerPorts) {
  const { onError } = ports
  const dispatcher = createDispatcher({ ...ports, onError: ({ id }, error) => onError(`job ${id}`, error) })
  const player = createPlayer({
    ...ports,
    attemptsEnded: dispatcher.attemptsEnded,
    onError: ({ id }, error) => onError(`payment ${id}`, error),
  })
  return { dispatcher, player }
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

function listWaiting({ dispatcher, player }: Movers, posts: number, gates: Gates): readonly Waiting[] {
  const counts = [
    ['attempts', dispatcher.pending()],
    ['posts', posts],
    ['payment_steps', player.pending()],
    ['held_by_fault', gates.count],
    ['recording_lag', dispatcher.lagging()],
  ] as const
  return counts.flatMap(([what, count]) => (count > 0 ? [{ what, count }] : []))
}

/** The interval between polls for the end of a recording lag, in milliseconds. Polls because no event marks the end of a lag. */
const LAG_MS = 20

async function settle(
  timeoutMs: number,
  { idle, waiting }: Pick<Scheduler, 'idle' | 'waiting'>,
  { gates, realTime }: SchedulerPorts,
): Promise<readonly Waiting[]> {
  const late = Promise.withResolvers<void>()
  let isLate = false
  const cancel = realTime.after(timeoutMs, () => {
    isLate = true
    late.resolve()
  })
  // Stops waiting after the timeout. Under a steady load the sandbox may never be idle.
  const isAwaited = () => !isLate
  try {
    for (;;) {
      await Promise.race([idle({ hasJob: isAwaited, hasPayment: isAwaited }), late.promise])
      const rest = waiting()
      if (isLate || rest.length === 0) return rest
      const soon = Promise.withResolvers<void>()
      const cancelSoon = realTime.after(LAG_MS, () => soon.resolve())
      await Promise.race([gates.changed(), soon.promise, late.promise])
      cancelSoon()
    }
  } finally {
    cancel()
  }
}

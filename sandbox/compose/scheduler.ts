import type { Waiting } from '../../spec/generated/control-types.ts'
import { createDispatcher, type Dispatcher, type DispatcherPorts } from '../engine/delivery/dispatcher.ts'
import type { Gates } from '../engine/faults/gates.ts'
import type { Context } from '../api/operations/operation.ts'
import type { Payment } from '../engine/state/payment.ts'
import { createPlayer, type Player } from '../engine/payments/player.ts'
import type { InFlightCounter } from '../engine/core/in-flight-counter.ts'
import type { Write } from '../engine/state/write.ts'

export interface SchedulerPorts extends Omit<DispatcherPorts, 'onError'> {
  readonly gates: Gates
  readonly inFlight: InFlightCounter
  readonly context: Context
  readonly commit: (writes: readonly Write[]) => Promise<void>
  /** Called with what should not happen, with the job or payment that it happened to. */
  readonly onError: (where: string, error: unknown) => void
}

/** What moves a world by itself: deliveries and payments. */
export interface Scheduler {
  readonly dispatcher: Dispatcher
  readonly player: Player
  start(): void
  nextDueAt(): number | undefined
  /** Resolves when nothing is due now or under way, what faults hold back aside. What one makes due is waited for too. */
  idle(): Promise<void>
  /** What is not at rest; empty if everything is. */
  waitingFor(): readonly Waiting[]
  /** Starts nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>
  /** Starts nothing more, and forgets what is under way. */
  abandon(): void
}

export function createScheduler(ports: SchedulerPorts): Scheduler {
  const { gates, inFlight, onError } = ports
  const dispatcher = createDispatcher({ ...ports, onError: ({ id }, error) => onError(`job ${id}`, error) })
  const player = createPlayer({
    ...ports,
    onError: ({ id }: Payment, error) => onError(`payment ${id}`, error),
  })
  return {
    dispatcher,
    player,
    start() {
      dispatcher.start()
      player.start()
    },
    nextDueAt() {
      const next = Math.min(
        dispatcher.nextDueAt() ?? Number.POSITIVE_INFINITY,
        player.nextDueAt() ?? Number.POSITIVE_INFINITY,
      )
      return next === Number.POSITIVE_INFINITY ? undefined : next
    },
    async idle() {
      for (await dispatcher.idle(); player.pending() > 0; await dispatcher.idle()) await player.idle()
    },
    waitingFor() {
      const counts = [
        ['attempts', dispatcher.pending],
        ['posts', inFlight.count],
        ['payment_steps', player.pending()],
        ['held_by_fault', gates.count],
        ['recording_lag', dispatcher.lagging],
      ] as const
      return counts.flatMap(([what, count]) => (count > 0 ? [{ what, count }] : []))
    },
    stop() {
      player.stop()
      return dispatcher.stop()
    },
    abandon() {
      player.stop()
      dispatcher.abandon()
    },
  }
}

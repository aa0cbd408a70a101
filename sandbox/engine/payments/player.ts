import { createDueTimer } from '../core/due-timer.ts'
import { createIdleWaiters } from '../core/idle-waiters.ts'
import type { EngineContext } from '../state/context.ts'
import type { Ports } from '../core/ports.ts'
import type { Store } from '../state/store.ts'
import { createFirstAttempts } from './first-attempts.ts'
import { continuePayment } from './take-step.ts'
import type { Payment } from '../state/payment.ts'
import type { Write } from '../state/write.ts'

export interface PlayerPorts extends Pick<Ports, 'clock' | 'realTime'> {
  readonly store: Store
  readonly context: EngineContext
  readonly commit: (writes: readonly Write[]) => Promise<void>
  /** Gets a bug or a failure of the store; the payment stays where it is and continues at the next start. */
  readonly onError: (payment: Payment, error: unknown) => void
}

/** Takes the steps of payments when they are due. */
export interface Player {
  /** Takes up the payments of the store that wait for a time, and from now on every new one. */
  start(): void
  nextDueAt(): number | undefined
  /** How many steps are being taken; one more if any is due now. */
  pending(): number
  idle(): Promise<void>
  stop(): void
}

export function createPlayer(ports: PlayerPorts): Player {
  const { clock, realTime, store, onError } = ports
  const firsts = createFirstAttempts(store, realTime)
  let unsubscribe = () => {}
  let underWay = 0
  let stopped = false
  const { idle, notify } = createIdleWaiters(() => underWay === 0)

  const dueTimer = createDueTimer(clock, (ordinal) => {
    const payment = store.payments()[ordinal]
    // Its step may have been taken by hand meanwhile.
    if (payment && payment.next_due_at !== null && payment.next_due_at <= clock.now()) void run(payment)
  })

  async function run(payment: Payment): Promise<void> {
    underWay++
    try {
      await firsts.ended(payment)
      if (!stopped) await takeNext(payment, ports)
    } catch (error) {
      onError(payment, error)
    }
    underWay--
    notify()
  }

  function schedule({ id, next_due_at }: Payment): void {
    if (next_due_at !== null) dueTimer.add(next_due_at, store.paymentOrdinal(id))
  }

  return {
    start() {
      unsubscribe = store.subscribe((head) => head.kind === 'payment' && schedule(head.payment))
      const due = store.payments().filter(({ next_due_at }) => next_due_at !== null)
      if (due.length > 0) firsts.takeUp()
      for (const payment of due) schedule(payment)
    },
    nextDueAt: dueTimer.nextDueAt,
    pending: () => underWay + Number((dueTimer.nextDueAt() ?? Number.POSITIVE_INFINITY) <= clock.now()),
    idle() {
      dueTimer.ring()
      return idle()
    },
    stop() {
      stopped = true
      dueTimer.stop()
      firsts.stop()
      unsubscribe()
    },
  }
}

async function takeNext(
  { id }: Payment,
  { store, context, commit }: Pick<PlayerPorts, 'store' | 'context' | 'commit'>,
): Promise<void> {
  const present = store.payment(id)
  if (!present) throw new RangeError(`Cannot go on with payment "${id}": it is gone`)
  await commit(continuePayment(present, context).writes)
}

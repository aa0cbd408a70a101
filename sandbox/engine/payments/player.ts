import { createDueTimer } from '../core/due-timer.ts'
import type { EngineContext } from '../state/context.ts'
import type { Ports, RealTime } from '../core/ports.ts'
import type { Store } from '../state/store.ts'
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
  const firsts = watchFirstAttempts(store, realTime)
  const waiting = new Set<() => void>()
  let unsubscribe = () => {}
  let underWay = 0
  let stopped = false

  const dueTimer = createDueTimer(clock, (ordinal) => {
    const payment = store.payments()[ordinal]
    // Its step may have been taken by hand meanwhile.
    if (payment && payment.next_due_at !== null && payment.next_due_at <= clock.now()) void run(payment)
  })

  async function run(payment: Payment): Promise<void> {
    underWay++
    try {
      await firsts.ended()
      if (!stopped) await takeNext(payment, ports)
    } catch (error) {
      onError(payment, error)
    }
    underWay--
    if (underWay === 0) for (const resolve of waiting) resolve()
    if (underWay === 0) waiting.clear()
  }

  function schedule({ id, next_due_at }: Payment): void {
    if (next_due_at !== null) dueTimer.add(next_due_at, store.paymentOrdinal(id))
  }

  return {
    start() {
      unsubscribe = store.subscribe((head) => head.kind === 'payment' && schedule(head.payment))
      for (const payment of store.payments()) schedule(payment)
    },
    nextDueAt: dueTimer.nextDueAt,
    pending: () => underWay + Number((dueTimer.nextDueAt() ?? Number.POSITIVE_INFINITY) <= clock.now()),
    async idle() {
      dueTimer.ring()
      if (underWay > 0) await new Promise<void>((resolve) => waiting.add(resolve))
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

/**
 * How long a step waits, in real time, for the first attempts of the one before: long enough for a healthy receiver to see
 * the notifications of a payment in their order, and short enough that one that hangs holds up nobody else. Ours.
 */
const LONGEST_WAIT_MS = 1_000

/** Knows which jobs were not attempted yet. */
interface FirstAttempts {
  /** Resolves when each job of this moment was attempted once, or when waiting longer would hold up others. */
  ended(): Promise<void>
  /** Looks no more. */
  stop(): void
}

function watchFirstAttempts(store: Store, realTime: RealTime): FirstAttempts {
  const unattempted = new Set<string>()
  const stop = store.subscribe((head) => {
    if (head.kind === 'job') unattempted.add(head.id)
    if (head.kind === 'attempt' || head.kind === 'cancellation') unattempted.delete(head.job_id)
  })
  return {
    stop,
    async ended() {
      const jobs = new Set(unattempted)
      if (jobs.size === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = realTime.after(LONGEST_WAIT_MS, resolve)
      const unsubscribe = store.subscribe((head) => {
        const isOver = head.kind === 'attempt' || head.kind === 'cancellation'
        if (isOver && jobs.delete(head.job_id) && jobs.size === 0) resolve()
      })
      await promise
      cancel()
      unsubscribe()
    },
  }
}

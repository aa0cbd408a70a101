import { createDueWork } from '../core/due-work.ts'
import { createSignal } from '../core/signal.ts'
import type { EngineContext } from '../objects/draws.ts'
import type { Ports } from '../core/ports.ts'
import type { JobRecord } from '../state/job.ts'
import type { Store } from '../state/store.ts'
import { continuePayment } from './take-step.ts'
import type { Payment, Write } from '../state/entries.ts'

export interface PlayerPorts extends Pick<Ports, 'clock' | 'realTime'> {
  readonly store: Store
  readonly context: EngineContext
  readonly commit: (writes: readonly Write[]) => Promise<void>
  /** Resolves when the present attempts of these jobs have ended or are postponed. */
  readonly attemptsEnded: (isAwaited: (job: JobRecord) => boolean) => Promise<void>
  /** Called if a payment is interrupted. The payment continues when the disk has space again, or after a restart. */
  readonly onError: (payment: Payment, error: unknown) => void
}

export interface TakenStep {
  readonly payment: Payment
  readonly firstJob: number
  readonly endOfJobs: number
}

export type Player = ReturnType<typeof createPlayer>

export function createPlayer(ports: PlayerPorts) {
  const { clock, store } = ports
  const underWay = createStepsUnderWay()
  const taker = createStepTaker(ports, (payment) => schedule(payment))
  let unsubscribe = () => {}

  const duePayments = createDueWork(
    clock,
    {
      count: store.paymentCount,
      at: (ordinal) => ({ ordinal, next_due_at: store.paymentAt(ordinal)?.next_due_at ?? null }),
      due: store.duePayments,
      nextDueAt: store.nextPaymentDueAt,
    },
    ({ ordinal }) => {
      const payment = store.paymentAt(ordinal)
      // Checks the due time again, because a user may have taken the step in the meantime.
      const dueAt = payment?.next_due_at ?? Number.POSITIVE_INFINITY
      if (payment && dueAt <= clock.now() && !underWay.has(payment))
        underWay.add(payment, taker.take(payment))
    },
  )
  const schedule = ({ id, next_due_at }: Payment) =>
    duePayments.add({ ordinal: store.paymentOrdinal(id), next_due_at })

  return {
    start(): void {
      unsubscribe = store.subscribe((head) => head.kind === 'payment' && schedule(head.payment))
      duePayments.start()
    },
    nextDueAt: duePayments.nextDueAt,
    /** Returns the number of steps in progress for these payments. Adds one if any payment has a step that is due now. */
    pending(isAwaited: (payment: Payment) => boolean = () => true): number {
      const isDue = !taker.isStopped && (duePayments.nextDueAt() ?? Number.POSITIVE_INFINITY) <= clock.now()
      return underWay.select(isAwaited).length + Number(isDue)
    },
    idle(isAwaited: (payment: Payment) => boolean = () => true): Promise<void> {
      duePayments.ring()
      return underWay.ended(isAwaited)
    },
    onStep: taker.onStep,
    stop(): void {
      taker.stop()
      duePayments.stop()
      unsubscribe()
    },
  }
}

/** Creates a function that takes the next step of a payment, after the first attempts of its previous step. */
function createStepTaker(ports: PlayerPorts, schedule: (payment: Payment) => unknown) {
  const { store, context, commit, onError } = ports
  const firstAttempts = createFirstAttempts(ports)
  const steps = createSignal<TakenStep>()
  /** The payments whose last step could not be recorded. These payments continue when the store accepts changes again. */
  let stayed: Payment[] = []
  let isStopped = false
  const unsubscribe = store.onProblem((problem) => {
    if (problem) return
    // Skips payments whose step was stored although its write reported an error.
    const left = stayed.filter(({ id, next_due_at }) => store.payment(id)?.next_due_at === next_due_at)
    stayed = []
    for (const payment of left) schedule(payment)
  })

  async function takeNext(id: string): Promise<TakenStep> {
    const present = store.payment(id)
    if (!present) throw new RangeError(`Cannot continue payment "${id}": the payment no longer exists`)
    const { payment, writes } = continuePayment(present, context)
    const firstJob = store.jobCount()
    const durable = commit(writes)
    const endOfJobs = store.jobCount()
    await durable
    return { payment, firstJob, endOfJobs }
  }

  return {
    get isStopped() {
      return isStopped
    },
    onStep: steps.subscribe,
    async take(payment: Payment): Promise<void> {
      try {
        await firstAttempts.ended(payment)
        if (!isStopped) steps.emit(await takeNext(payment.id))
      } catch (error) {
        if (store.problem) stayed.push(payment)
        onError(payment, error)
      }
    },
    stop(): void {
      isStopped = true
      firstAttempts.stop()
      unsubscribe()
    },
  }
}

/** The maximum real time, in milliseconds, that a payment waits for an unresponsive receiver. Hookbench chose this limit. */
const MAX_WAIT_MS = 1_000

function createFirstAttempts({ realTime, attemptsEnded }: Pick<PlayerPorts, 'realTime' | 'attemptsEnded'>) {
  const waiting = new Set<() => void>()
  return {
    /** Resolves when each existing job of the payment has had its first attempt, or after the maximum wait, or on `stop`. */
    async ended({ objects, participants }: Payment): Promise<void> {
      const ids = new Set([...Object.values(objects), ...Object.values(participants)])
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = realTime.after(MAX_WAIT_MS, resolve)
      waiting.add(resolve)
      const isFirst = (job: JobRecord) => job.first_ended_at === null && ids.has(job.object_id)
      await Promise.race([attemptsEnded(isFirst), promise])
      waiting.delete(resolve)
      cancel()
    },
    stop(): void {
      for (const end of waiting) end()
    },
  }
}

function createStepsUnderWay() {
  const paymentByEnd = new Map<Promise<void>, Payment>()
  const select = (isAwaited: (payment: Payment) => boolean) =>
    [...paymentByEnd].flatMap(([end, payment]) => (isAwaited(payment) ? [end] : []))
  return {
    select,
    has: ({ id, step }: Payment) => select((other) => other.id === id && other.step === step).length > 0,
    async ended(isAwaited: (payment: Payment) => boolean): Promise<void> {
      for (let ends = select(isAwaited); ends.length > 0; ends = select(isAwaited)) await Promise.all(ends)
    },
    add(payment: Payment, step: Promise<void>): void {
      const end = step.finally(() => paymentByEnd.delete(end))
      paymentByEnd.set(end, payment)
    },
  }
}

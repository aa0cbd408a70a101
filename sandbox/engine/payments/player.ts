import { createDueTimer } from '../core/due-timer.ts'
import { createSignal } from '../core/signal.ts'
import type { EngineContext } from '../objects/draws.ts'
import type { Ports } from '../core/ports.ts'
import type { Store } from '../state/store.ts'
import { createFirstAttempts, type FirstAttempts } from './first-attempts.ts'
import { continuePayment } from './take-step.ts'
import type { Payment } from '../state/payment.ts'
import type { Write } from '../state/write.ts'

export interface PlayerPorts extends Pick<Ports, 'clock' | 'realTime'> {
  readonly store: Store
  readonly context: EngineContext
  readonly commit: (writes: readonly Write[]) => Promise<void>
  /** Gets a bug or a failure of the store; the payment stays where it is and continues when there is room again, or at the next start. */
  readonly onError: (payment: Payment, error: unknown) => void
}

/** A step of a payment, with the place of its first job among all jobs, and of the one after its last. */
export interface TakenStep {
  readonly payment: Payment
  readonly firstJob: number
  readonly endOfJobs: number
}

/** Takes the steps of payments when they are due. */
export interface Player {
  /** Takes up the payments of the store that wait for a time, and from now on every new one. */
  start(): void
  nextDueAt(): number | undefined
  /** How many steps of these payments, or of any, are being taken; one more if any is due now. */
  pending(isAwaited?: (payment: Payment) => boolean): number
  /** Resolves when no step of these payments, or of any, is being taken. */
  idle(isAwaited?: (payment: Payment) => boolean): Promise<void>
  /** Calls the listener with each step that was taken, once it is durable; returns a function that ends it. */
  onStep(listener: (step: TakenStep) => void): () => void
  stop(): void
}

export function createPlayer(ports: PlayerPorts): Player {
  const { clock, realTime, store } = ports
  const firsts = createFirstAttempts(store, realTime)
  const underWay = createStepsUnderWay()
  const stayed = createStayedPayments(store, (payment) => schedule(payment))
  const taker = createStepTaker(ports, { firsts, stayed })
  let unsubscribe = () => {}

  const dueTimer = createDueTimer(clock, (ordinal) => {
    const payment = store.paymentAt(ordinal)
    // Its step may have been taken by hand meanwhile.
    const dueAt = payment?.next_due_at ?? Number.POSITIVE_INFINITY
    if (payment && dueAt <= clock.now()) underWay.add(payment, taker.take(payment))
  })

  const schedule = ({ id, next_due_at }: Payment) =>
    next_due_at !== null && dueTimer.add(next_due_at, store.paymentOrdinal(id))

  return {
    start() {
      unsubscribe = store.subscribe((head) => head.kind === 'payment' && schedule(head.payment))
      const due = store.duePayments()
      if (due.length > 0) firsts.takeUp()
      for (const payment of due) schedule(payment)
    },
    nextDueAt: dueTimer.nextDueAt,
    pending(isAwaited = () => true) {
      const isDue = !taker.isStopped && (dueTimer.nextDueAt() ?? Number.POSITIVE_INFINITY) <= clock.now()
      return underWay.select(isAwaited).length + Number(isDue)
    },
    idle(isAwaited = () => true) {
      dueTimer.ring()
      return underWay.ended(isAwaited)
    },
    onStep: taker.onStep,
    stop() {
      taker.stop()
      dueTimer.stop()
      firsts.stop()
      stayed.stop()
      unsubscribe()
    },
  }
}

interface StepTakerPorts {
  readonly firsts: Pick<FirstAttempts, 'ended'>
  readonly stayed: ReturnType<typeof createStayedPayments>
}

/** Takes a payment's next step, when the first attempts of the one before have ended. */
function createStepTaker(ports: PlayerPorts, { firsts, stayed }: StepTakerPorts) {
  const steps = createSignal<TakenStep>()
  let isStopped = false
  return {
    get isStopped() {
      return isStopped
    },
    onStep: steps.subscribe,
    async take(payment: Payment): Promise<void> {
      try {
        await firsts.ended(payment)
        if (!isStopped) steps.emit(await takeNext(payment, ports))
      } catch (error) {
        if (ports.store.problem) stayed.add(payment)
        ports.onError(payment, error)
      }
    },
    stop(): void {
      isStopped = true
    },
  }
}

/** The steps that are being taken, each with when it ends. */
function createStepsUnderWay() {
  const paymentByEnd = new Map<Promise<void>, Payment>()
  const select = (isAwaited: (payment: Payment) => boolean) =>
    [...paymentByEnd].flatMap(([end, payment]) => (isAwaited(payment) ? [end] : []))
  return {
    select,
    /** Those that begin meanwhile included. */
    async ended(isAwaited: (payment: Payment) => boolean): Promise<void> {
      for (let ends = select(isAwaited); ends.length > 0; ends = select(isAwaited)) await Promise.all(ends)
    },
    add(payment: Payment, step: Promise<void>): void {
      const end = step.finally(() => paymentByEnd.delete(end))
      paymentByEnd.set(end, payment)
    },
  }
}

/** The payments whose step could not be recorded: they go on where they are when the store takes changes again. */
function createStayedPayments(store: Store, schedule: (payment: Payment) => unknown) {
  let stayed: Payment[] = []
  const unsubscribe = store.onProblem((problem) => {
    if (problem) return
    // Its step may have been kept all the same.
    const left = stayed.filter(({ id, next_due_at }) => store.payment(id)?.next_due_at === next_due_at)
    stayed = []
    for (const payment of left) schedule(payment)
  })
  return {
    add: (payment: Payment) => void stayed.push(payment),
    stop: unsubscribe,
  }
}

async function takeNext(
  { id }: Payment,
  { store, context, commit }: Pick<PlayerPorts, 'store' | 'context' | 'commit'>,
): Promise<TakenStep> {
  const present = store.payment(id)
  if (!present) throw new RangeError(`Cannot continue payment "${id}": it is gone`)
  const { payment, writes } = continuePayment(present, context)
  const firstJob = store.jobCount()
  const durable = commit(writes)
  const endOfJobs = store.jobCount()
  await durable
  return { payment, firstJob, endOfJobs }
}

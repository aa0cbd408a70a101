import type { PlayedCase, PlayedPayment } from './play-case.ts'
import type { ExploredCase } from '../explored-case.ts'
import type { Exchange, ObjectRef } from '../finding.ts'
import {
  findBookingDifference,
  readBooking,
  type BookingDifference,
  type ExpectedBooking,
} from '../toolkit/booked-effect.ts'
import type { CheckContext } from '../toolkit/check-context.ts'
import { describeExchange, isAccepted } from '../toolkit/expectations.ts'
import { companionObjects } from '../toolkit/payment-outcome.ts'
import { lastAboutConsequence } from '../toolkit/scenario.ts'

export interface Expectation extends ExpectedBooking {
  readonly object: ObjectRef
  /** The name in reports, such as `payment 2 (npp-payin)`. */
  readonly name: string
  /** True if the receiver must ask the service about the object. The effects on this object are not counted. */
  readonly isAsked?: true
}

export interface Difference extends Omit<BookingDifference, 'symptom'> {
  readonly object?: ObjectRef
  readonly exchanges?: readonly Exchange[]
  /** The kind of failure. A reduced case counts only if it fails with the same symptom. */
  readonly symptom: BookingDifference['symptom'] | 'answer' | 'missing-call'
}

/** Returns the expected end state, which does not depend on the deliveries or the faults. */
export function expectations({ payments, users }: PlayedCase): readonly Expectation[] {
  const played = payments.map((payment, index) => ({
    payment,
    party: partyOf(index, payments),
    booking: expectedBooking(payment),
  }))
  const ofPayments = played.flatMap(({ payment, party, booking }, index): readonly Expectation[] => {
    const { play, branch, disguise } = payment
    const object = disguise.target(play)
    if (!object) return []
    const name = `payment ${index + 1} (${branch.kind} ${branch.outcome})`
    const others = played.filter((other) => other.party !== party)
    const foreignAccounts = others.flatMap(({ booking: { accounts = [] } }) => accounts)
    const companions = companionObjects(branch, play).map((companion) => ({
      object: companion,
      name: `${companion.type} of ${name}, on which your platform does not act`,
      effects: 0,
    }))
    return [{ object, name, ...booking, foreignAccounts }, ...companions]
  })
  return [
    ...ofPayments,
    ...users.map((object) => ({ object, name: `users "${object.id}"`, effects: 0, isAsked: true as const })),
  ]
}

function partyOf(index: number, payments: readonly PlayedPayment[]): number {
  const { item, person } = payments[index]?.plan ?? {}
  return item === undefined ? (person ?? -1 - index) : partyOf(item, payments)
}

function expectedBooking(payment: PlayedPayment): ExpectedBooking {
  const { play, isReached, plan } = payment
  const message = lastAboutConsequence(play)
  const state = message?.state ?? undefined
  if (!isReached || !message || message.type === 'virtual_accounts')
    return { effects: isReached ? 1 : 0, ...(state !== undefined && { state }) }
  const booking = readBooking(payment.disguise.dress(message, play))
  return {
    ...booking,
    ...(state !== undefined && { state }),
    ...(booking.currency !== undefined && { currency: plan.currency ?? booking.currency }),
  }
}

/** Returns a difference for a delivery that the receiver never accepted, because that payment is lost. */
export function findRejection({ exchanges }: PlayedCase): Difference | undefined {
  const refused = exchanges.find((exchange) => !isAccepted(exchange))
  if (!refused) return undefined
  return {
    expected: 'a status from 200 to 299 for every notification or its retry',
    actual: describeExchange(refused),
    exchanges: [refused],
    symptom: 'answer',
  }
}

export async function findDifference(
  { effects, calls }: Pick<CheckContext, 'effects' | 'calls'>,
  expected: readonly Expectation[],
): Promise<Difference | undefined> {
  for (const { object, name, isAsked, ...booking } of expected) {
    if (isAsked) {
      if ((await calls.about(object)).length > 0) continue
      const call = `a call to the service about ${name}`
      return { expected: call, actual: 'no call', object, symptom: 'missing-call' }
    }
    const difference = findBookingDifference(booking, await effects.read(object))
    if (difference) return { ...difference, expected: `${difference.expected} for ${name}`, object }
  }
  return undefined
}

const MIN_MS = 1_000
/** The wait for an effect, as a multiple of the longest observed delay. */
const MAX_DELAYS = 4
/** The factor by which failing calls prolong the wait. A receiver may pause before it retries. */
const TIMES_WHERE_CALLS_FAIL = 3

export function createPatience({ effects }: Pick<CheckContext, 'effects'>) {
  let leastMs = MIN_MS
  return {
    msFor({ deliveries }: ExploredCase) {
      const times = deliveries.some(({ callBack }) => callBack) ? TIMES_WHERE_CALLS_FAIL : 1
      const lateMs = MAX_DELAYS * (effects.observable ? (effects.delay().latestMs ?? 0) : 0)
      return times * Math.max(leastMs, lateMs)
    },
    /** Doubles the wait after a suspected difference has disappeared, because the wait was too short. */
    grow() {
      leastMs *= 2
    },
  }
}

export type Patience = ReturnType<typeof createPatience>

const POLL_MS = 20
/** Symptoms that can disappear later. */
export const MAY_PASS: readonly Difference['symptom'][] = ['missing-effect', 'other-state', 'missing-call']

/** Waits until all effects are as expected. Returns a permanent difference at once, and any other difference after `patienceMs`. */
export async function awaitMatch(
  context: CheckContext,
  expected: readonly Expectation[],
  patienceMs: number,
): Promise<Difference | undefined> {
  const end = context.elapsed() + patienceMs
  for (;;) {
    const difference = await findDifference(context, expected)
    if (!difference || !MAY_PASS.includes(difference.symptom) || context.elapsed() >= end) return difference
    await context.pause(POLL_MS)
  }
}

export async function settleDifference(
  context: CheckContext,
  expected: readonly Expectation[],
): Promise<Difference | undefined> {
  const { effects, calls, reconcile } = context
  const isMissing = (await findDifference(context, expected))?.symptom === 'missing-effect'
  // Runs the platform's own search for missed notifications now, because the platform may otherwise run it much later.
  if (isMissing && reconcile.observable) await reconcile.run()
  await Promise.all(
    expected.map(async ({ object, effects: count, state, isAsked }) => {
      if (isAsked) await calls.settle(object)
      const seen = await effects.settle(object, count)
      const isLate =
        seen.effects === count && state !== undefined && seen.state !== null && seen.state !== state
      if (isLate) await effects.settleState(object, state)
    }),
  )
  return findDifference(context, expected)
}

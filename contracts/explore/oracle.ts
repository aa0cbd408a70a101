import type { PlayedCase, PlayedPayment } from './play-case.ts'
import type { Exchange, ObjectRef } from '../finding.ts'
import {
  findBookingDifference,
  readBooking,
  type BookingDifference,
  type ExpectedBooking,
} from '../toolkit/booked-effect.ts'
import type { CheckContext, Message } from '../toolkit/check-context.ts'
import { describeExchange, isAccepted } from '../toolkit/expectations.ts'
import { companionObjects } from '../toolkit/payment-outcome.ts'
import type { EffectState } from '../toolkit/ports.ts'

export interface Expectation extends ExpectedBooking {
  readonly object: ObjectRef
  /** A name such as `payment 2 (npp-payin)`. */
  readonly name: string
  /** True if the receiver must ask about the object and any number of effects is right. */
  readonly isAsked?: true
}

export interface Difference {
  readonly expected: string
  readonly actual: string
  readonly object?: ObjectRef
  readonly exchanges?: readonly Exchange[]
  /** The kind of failure. A smaller case must fail in the same way. */
  readonly symptom: BookingDifference['symptom'] | 'answer' | 'missing-call'
}

/** Returns the right end state, which does not depend on the deliveries or the faults. */
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

/** Returns the same number for payments of one person, named or not. */
function partyOf(index: number, payments: readonly PlayedPayment[]): number {
  const { item, person } = payments[index]?.plan ?? {}
  return item === undefined ? (person ?? -1 - index) : partyOf(item, payments)
}

function expectedBooking(payment: PlayedPayment): ExpectedBooking {
  const { play, isReached, plan } = payment
  const message = lastAbout(payment)
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

function lastAbout({ play }: PlayedPayment): Message | undefined {
  const { consequence, messages } = play
  return messages.findLast(({ type, id }) => type === consequence?.type && id === consequence.id)
}

/** A delivery that was never accepted is a lost payment. */
export function findRefusal({ exchanges }: PlayedCase): Difference | undefined {
  const refused = exchanges.find((exchange) => !isAccepted(exchange))
  if (!refused) return undefined
  return {
    expected: 'every notification answered with 200 to 299 in the end',
    actual: describeExchange(refused),
    exchanges: [refused],
    symptom: 'answer',
  }
}

function compare({ object, name, ...expected }: Expectation, seen: EffectState): Difference | undefined {
  const difference = findBookingDifference(expected, seen)
  if (!difference) return undefined
  return {
    expected: `${difference.expected} for ${name}`,
    actual: difference.actual,
    object,
    symptom: difference.symptom,
  }
}

function missingCall(object: ObjectRef, name: string): Difference {
  return {
    expected: `a call to the service about ${name}`,
    actual: 'no call',
    object,
    symptom: 'missing-call',
  }
}

export async function findDifference(
  { effects, calls }: Pick<CheckContext, 'effects' | 'calls'>,
  expected: readonly Expectation[],
): Promise<Difference | undefined> {
  for (const each of expected) {
    const { object, name, isAsked } = each
    const difference = isAsked
      ? (await calls.about(object)).length === 0 && missingCall(object, name)
      : compare(each, await effects.read(object))
    if (difference) return difference
  }
  return undefined
}

import { isFair } from './fair-case.ts'
import {
  expectations,
  findDifference,
  findRejection,
  type Difference,
  awaitMatch,
  MAY_PASS,
  settleDifference,
  type Patience,
} from './oracle.ts'
import { playCase } from './play-case.ts'
import { PLAIN_AMOUNT } from './values.ts'
import { isRestarting, type ExploredCase, type PaymentPlan, type PersonPlan } from '../explored-case.ts'
import type { Branch } from '../toolkit/branches.ts'
import type { CheckContext, ContextFork } from '../toolkit/check-context.ts'

export interface FailedCase {
  readonly plan: ExploredCase
  readonly difference: Difference
  readonly fork: ContextFork
}

export interface ShrinkOptions {
  readonly branches: readonly Branch[]
  readonly forMs: number
  readonly patience: Patience
}

const SIDE_BY_SIDE = 32

export async function shrinkCase(
  context: CheckContext,
  failed: FailedCase,
  { branches, forMs, patience }: ShrinkOptions,
): Promise<FailedCase | undefined> {
  const end = context.elapsed() + forMs
  const { symptom } = failed.difference
  const smallest = [failed]
  let tried = 0

  async function fails(plan: ExploredCase): Promise<FailedCase | undefined> {
    const fork = context.fork(`smaller ${++tried}`)
    // Only the same symptom counts here, so the wait need not cover other symptoms.
    const judge: typeof settleDifference = async (own, expected) => {
      if (MAY_PASS.includes(symptom)) return awaitMatch(own, expected, patience.msFor(plan))
      await own.pause(AGAIN_MS)
      return findDifference(own, expected)
    }
    const difference = await playDifference(fork.context, plan, { branches, judge })
    await fork.close()
    return difference?.symptom === symptom ? { plan, difference, fork } : undefined
  }

  for (let found: FailedCase | undefined = failed; found && context.elapsed() < end;) {
    const candidates = smallerCases(found.plan, branches)
    // A restart affects all cases that run at the same time, so cases with restarts run alone.
    const atOnce: number = isRestarting(found.plan) ? 1 : SIDE_BY_SIDE
    found = undefined
    for (let from = 0; from < candidates.length && !found && context.elapsed() < end; from += atOnce) {
      const results: readonly (FailedCase | undefined)[] = await Promise.all(
        candidates.slice(from, from + atOnce).map(fails),
      )
      const failing = results.filter((each) => each !== undefined)
      found = failing.toSorted((a, b) => sizeOf(a.plan) - sizeOf(b.plan))[0]
    }
    if (found) smallest.push(found)
  }
  return confirm(context, smallest, branches)
}

async function confirm(context: CheckContext, found: readonly FailedCase[], branches: readonly Branch[]) {
  const candidates = [...new Set([found.at(-1), found.at(-2), found[0]])].filter((each) => each !== undefined)
  for (const [index, { plan }] of candidates.entries()) {
    const fork = context.fork(`smallest ${index + 1}`)
    const difference = await playDifference(fork.context, plan, { branches })
    await fork.close()
    if (difference) return { plan, difference, fork }
  }
  const [first] = found
  // A wrong effect that no later effect can undo is permanent. Any other failure counts only if it occurs again.
  const isLasting = ({ difference: { symptom } }: FailedCase) =>
    symptom !== 'answer' && !MAY_PASS.includes(symptom)
  return first && isLasting(first) ? first : undefined
}

export async function playDifference(
  context: CheckContext,
  plan: ExploredCase,
  {
    branches,
    judge = settleDifference,
  }: { readonly branches: readonly Branch[]; readonly judge?: typeof settleDifference },
): Promise<Difference | undefined> {
  const played = await playCase(context, plan, branches)
  const refusal = findRejection(played)
  if (refusal || !context.effects.observable) return refusal
  return judge(context, expectations(played))
}

/** The time that the search waits for repeated effects, in real milliseconds. */
const AGAIN_MS = 250

/** Returns the length of the text of a case. A case with a shorter text is easier to explain. */
function sizeOf(plan: ExploredCase): number {
  return JSON.stringify(plan).length
}

function smallerCases(plan: ExploredCase, branches: readonly Branch[]): readonly ExploredCase[] {
  return [
    ...withFewerPayments(plan),
    ...withFewerUsers(plan),
    ...withFewerDeliveries(plan),
    ...withPlainerDeliveries(plan),
    ...withPlainerPayments(plan),
  ].filter((each) => isFair(each, branches))
}

function withFewerPayments({ people, payments, deliveries, ...rest }: ExploredCase): readonly ExploredCase[] {
  return ranges(payments.length).map(([from, end]) => {
    const isLeft = (place: number) => place < from || place >= end
    const placed = (place: number) => (place < from ? place : place - (end - from))
    const kept = payments
      .filter((_, place) => isLeft(place))
      .map(({ item, sameIdAs, ...payment }) => ({
        ...payment,
        ...(item !== undefined && isLeft(item) && { item: placed(item) }),
        ...(sameIdAs !== undefined && isLeft(sameIdAs) && { sameIdAs: placed(sameIdAs) }),
      }))
    const left = deliveries.filter(({ of }) => isLeft(of)).map((each) => ({ ...each, of: placed(each.of) }))
    return withoutUnusedPeople({ ...rest, people, payments: kept, deliveries: left })
  })
}

/** Returns the ranges to remove from a list, such as halves and quarters, but never the complete list. */
function ranges(length: number): readonly (readonly [from: number, end: number])[] {
  const found: (readonly [number, number])[] = []
  for (let size = Math.ceil(length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < length; from += size) found.push([from, Math.min(from + size, length)])
  return found.filter(([from, end]) => end - from < length)
}

function withoutUnusedPeople({ people, payments, deliveries, ...rest }: ExploredCase): ExploredCase {
  const used = [...people.keys()].filter((place) => payments.some(({ person }) => person === place))
  return {
    ...rest,
    people: used.flatMap((place) => people[place] ?? []),
    payments: payments.map((each) =>
      each.person === undefined ? each : { ...each, person: used.indexOf(each.person) },
    ),
    deliveries,
  }
}

function withFewerUsers({ users = [], ...plan }: ExploredCase): readonly ExploredCase[] {
  return users.length === 0
    ? []
    : [plan, ...users.map((_, place) => ({ ...plan, users: users.toSpliced(place, 1) }))]
}

function withFewerDeliveries(plan: ExploredCase): readonly ExploredCase[] {
  const { deliveries } = plan
  return ranges(deliveries.length).map(([from, end]) => ({
    ...plan,
    deliveries: deliveries.toSpliced(from, end - from),
  }))
}

const MARKS = ['together', 'wire', 'generation', 'callBack', 'restart'] as const

function withPlainerDeliveries(plan: ExploredCase): readonly ExploredCase[] {
  const { deliveries } = plan
  return MARKS.flatMap((mark) => {
    const marked = [...deliveries.keys()].filter((place) => deliveries[place]?.[mark] !== undefined)
    const all = marked.length > 1 ? [marked] : []
    return [...all, ...marked.map((place) => [place])].map((places) => ({
      ...plan,
      deliveries: deliveries.map((each, place) => (places.includes(place) ? omit(each, mark) : each)),
    }))
  })
}

const DETAILS = [
  'person',
  'item',
  'sameIdAs',
  'capitals',
  'laterMs',
  'apartMs',
  'fee',
  'currency',
  'amount',
  'via',
] as const

function withPlainerPayments(plan: ExploredCase): readonly ExploredCase[] {
  const { payments, people } = plan
  const withPayment = (place: number, payment: PaymentPlan) =>
    withoutUnusedPeople({ ...plan, payments: payments.with(place, payment) })
  const withPerson = (place: number, person: PersonPlan) => ({ ...plan, people: people.with(place, person) })
  const withoutAll = (detail: (typeof DETAILS)[number]) =>
    withoutUnusedPeople({ ...plan, payments: payments.map((payment) => omit(payment, detail)) })
  return [
    ...DETAILS.filter((detail) => payments.filter((each) => each[detail] !== undefined).length > 1).map(
      withoutAll,
    ),
    ...payments.flatMap((payment, place) => [
      ...DETAILS.filter((detail) => payment[detail] !== undefined).map((detail) =>
        withPayment(place, omit(payment, detail)),
      ),
      ...((payment.amount ?? PLAIN_AMOUNT) === PLAIN_AMOUNT
        ? []
        : [withPayment(place, { ...payment, amount: PLAIN_AMOUNT })]),
    ]),
    ...people.flatMap((person, place) => [
      ...(person.id === undefined ? [] : [withPerson(place, omit(person, 'id'))]),
      ...(person.name === undefined ? [] : [withPerson(place, omit(person, 'name'))]),
    ]),
  ]
}

function omit<Value extends object, Key extends keyof Value>(value: Value, key: Key): Value {
  const copy = { ...value }
  delete copy[key]
  return copy
}

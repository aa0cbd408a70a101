import type { Branch } from '../toolkit/branches.ts'
import type { ExploredCase, PaymentPlan, PersonPlan } from '../explored-case.ts'
import { isFair } from './fair-case.ts'

/** Counts the text of a case, so that shorter stories win. */
export function sizeOf(plan: ExploredCase): number {
  return JSON.stringify(plan).length
}

export function smallerCases(plan: ExploredCase, branches: readonly Branch[]): readonly ExploredCase[] {
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

/** Returns the ranges to leave out: halves, quarters and so on. Never the whole list. */
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

/** Removes a mark from all deliveries, and from each. */
function withPlainerDeliveries(plan: ExploredCase): readonly ExploredCase[] {
  const { deliveries } = plan
  return MARKS.flatMap((mark) => {
    const marked = [...deliveries.keys()].filter((place) => deliveries[place]?.[mark] !== undefined)
    const without = (places: readonly number[]): ExploredCase => ({
      ...plan,
      deliveries: deliveries.map((each, place) => (places.includes(place) ? omit(each, mark) : each)),
    })
    return marked.length > 1
      ? [without(marked), ...marked.map((place) => without([place]))]
      : marked.map((place) => without([place]))
  })
}

const PLAIN_AMOUNT = 12_500
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

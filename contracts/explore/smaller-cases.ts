import type { Branch } from '../toolkit/branches.ts'
import {
  isMiss,
  type DeliveryPlan,
  type ExploredCase,
  type PaymentPlan,
  type PersonPlan,
} from '../explored-case.ts'

/** The less there is to read, the smaller. */
export function sizeOf(plan: ExploredCase): number {
  return JSON.stringify(plan).length
}

/** Cases that are smaller or plainer, those that leave out the most first. */
export function smallerCases(plan: ExploredCase, branches: readonly Branch[]): readonly ExploredCase[] {
  return [
    ...withFewerPayments(plan),
    ...withFewerUsers(plan),
    ...withFewerDeliveries(plan),
    ...withPlainerDeliveries(plan),
    ...withPlainerPayments(plan),
  ].filter((each) => isFair(each.deliveries) && isWhole(each, branches))
}

/** True if the last part that was made about an object that is acted on is sent, and so is the one that is acted on. */
export function isWhole({ payments, deliveries }: ExploredCase, branches: readonly Branch[]): boolean {
  return payments.every(({ kind, outcome }, of) => {
    const { parts = [], deciding } =
      branches.find((each) => each.kind === kind && each.outcome === outcome) ?? {}
    const sent = new Set(deliveries.filter((each) => each.of === of).map(({ part }) => part))
    const furthest = Math.max(-1, ...sent)
    const type = parts[deciding ?? parts.length - 1]?.type
    const last = parts.findLastIndex((part, place) => place <= furthest && part.type === type)
    return (
      sent.size > 0 &&
      (last < 0 || sent.has(last)) &&
      (deciding === undefined || deciding > furthest || sent.has(deciding))
    )
  })
}

/** True if the receiver is notified again of each object that the service did not know for a while. */
export function isFair(deliveries: readonly DeliveryPlan[]): boolean {
  return deliveries.every(
    ({ callBack, of, part }, place) =>
      !isMiss(callBack) ||
      deliveries
        .slice(place + 1)
        .some((each) => each.of === of && each.part >= part && !each.together && !each.wire),
  )
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

/** What can be left out of a list: each half, each quarter and so on, down to each one; never all of it. */
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

/** Without a mark on all deliveries, and on each. */
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

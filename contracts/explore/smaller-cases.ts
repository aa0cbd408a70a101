import type { Branch } from '../toolkit/branches.ts'
import type { DeliveryPlan, ExploredCase, PaymentPlan, PersonPlan } from '../explored-case.ts'

/** The less there is to read, the smaller. */
export function sizeOf(plan: ExploredCase): number {
  return JSON.stringify(plan).length
}

/** Cases that are smaller or plainer, those that leave out the most first. */
export function smallerCases(plan: ExploredCase, branches: readonly Branch[]): readonly ExploredCase[] {
  return [
    ...withFewerPayments(plan),
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

/** A receiver may take 404 for the last word about an object, until it is notified of it again. Reading: unknown-object */
export function isFair(deliveries: readonly DeliveryPlan[]): boolean {
  return deliveries.every(
    ({ callBack, of, part }, place) =>
      callBack !== 'not-found' ||
      deliveries
        .slice(place + 1)
        .some((each) => each.of === of && each.part >= part && !each.together && !each.wire),
  )
}

function withFewerPayments({ people, payments, deliveries }: ExploredCase): readonly ExploredCase[] {
  if (payments.length === 1) return []
  return [...payments.keys()].map((removed) => {
    const placed = (place: number) => (place > removed ? place - 1 : place)
    const kept = payments.toSpliced(removed, 1).map(({ item, sameIdAs, ...payment }) => ({
      ...payment,
      ...(item !== undefined && item !== removed && { item: placed(item) }),
      ...(sameIdAs !== undefined && sameIdAs !== removed && { sameIdAs: placed(sameIdAs) }),
    }))
    const left = deliveries
      .filter(({ of }) => of !== removed)
      .map((each) => ({ ...each, of: placed(each.of) }))
    return withoutUnusedPeople({ people, payments: kept, deliveries: left })
  })
}

function withoutUnusedPeople({ people, payments, deliveries }: ExploredCase): ExploredCase {
  const used = [...people.keys()].filter((place) => payments.some(({ person }) => person === place))
  return {
    people: used.flatMap((place) => people[place] ?? []),
    payments: payments.map((each) =>
      each.person === undefined ? each : { ...each, person: used.indexOf(each.person) },
    ),
    deliveries,
  }
}

/** Without each half, each quarter and so on, down to each one. */
function withFewerDeliveries(plan: ExploredCase): readonly ExploredCase[] {
  const { deliveries } = plan
  const cases: ExploredCase[] = []
  for (let size = Math.ceil(deliveries.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < deliveries.length; from += size) {
      const rest = deliveries.toSpliced(from, size)
      cases.push({ ...plan, deliveries: rest })
    }
  return cases
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
const DETAILS = ['person', 'item', 'sameIdAs', 'capitals', 'laterMs', 'currency', 'amount', 'via'] as const

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

import { drawOrder, interleave, ORDERS, type OrderKind } from './draw-order.ts'
import { isAskedAgain } from './fair-case.ts'
import { canBeCrafted, canShareId, drawUsers } from './people.ts'
import {
  AMOUNT_CLASSES,
  AMOUNTS,
  createCoverage,
  CURRENCIES,
  FEES,
  ID_FAMILIES,
  NAMES,
  pick,
  TIME_GAPS,
  TIME_SHIFTS,
  type AmountClass,
  type Traits,
} from './values.ts'
import {
  CALL_BACKS,
  isMiss,
  LONG_CALL_BACKS,
  WIRES,
  type CallBack,
  type DeliveryPlan,
  type ExploredCase,
  type PaymentPlan,
  type PersonPlan,
  type Wire,
} from '../explored-case.ts'
import type { Branch } from '../toolkit/branches.ts'

export interface DrawRange {
  readonly branches: readonly Branch[]
  readonly callsBack: boolean
  readonly callbackTypes: readonly string[]
  /** True if the exploration is long enough for calls that end only when the receiver times out. */
  readonly isLong: boolean
  /** True if the receiver acts on items, and one item can be paid more than once. */
  readonly paysItemAgain: boolean
  readonly asksAboutUsers: boolean
}

const SHARING = ['alone', 'payer', 'payer-and-amount', 'similar-payer', 'item', 'id', 'all'] as const
type Sharing = (typeof SHARING)[number]

interface DrawnPayment extends Traits {
  readonly payment: string
  readonly order: OrderKind
  readonly callBack: CallBack | 'none'
  readonly wire: Wire | 'plain'
  readonly amount: AmountClass
  readonly sharing: Sharing
}

/** The number of random candidates for each payment. The candidate with the most new pairs of values is used. */
const TRIES = 24
const MAX_PAYMENTS = 4
const CROWD = 64
/** `NO_FAULT` is the share of payments without a failing call. `LONG` is the share of long faults that are not dropped. */
const NO_FAULT = 0.4
const LONG = 0.25

const isLong = (callBack: string) => LONG_CALL_BACKS.some((long) => long === callBack)

export function createDraw(range: DrawRange) {
  const callBacks = Object.keys(CALL_BACKS).filter((each): each is CallBack => range.isLong || !isLong(each))
  const values = {
    payment: range.branches.map(nameOf),
    order: ORDERS.filter((order) => order !== 'both-generations' || range.callbackTypes.length > 0),
    callBack: range.callsBack ? (['none', ...callBacks] as const) : (['none'] as const),
    wire: ['plain', ...WIRES] as const,
    amount: AMOUNT_CLASSES,
    sharing: SHARING.filter((sharing) => sharing !== 'item' || range.paysItemAgain),
  }
  const coverage = createCoverage(values)

  function drawCallBack(random: () => number): CallBack | 'none' {
    if (random() < NO_FAULT) return 'none'
    const drawn = pick(values.callBack, random)
    // A long fault delays all other cases, so most of the long faults are dropped.
    return isLong(drawn) && random() > LONG ? 'none' : drawn
  }

  function drawPayment(random: () => number): DrawnPayment {
    const one = (): DrawnPayment => ({
      payment: pick(values.payment, random),
      order: pick(values.order, random),
      callBack: drawCallBack(random),
      wire: random() < 0.5 ? 'plain' : pick(values.wire, random),
      amount: pick(values.amount, random),
      sharing: pick(values.sharing, random),
    })
    const drawn = Array.from({ length: TRIES }, one)
    const counted = drawn.map((each) => ({ each, count: coverage.newPairs(each) }))
    const best = counted.reduce((first, second) => (second.count > first.count ? second : first))
    coverage.add(best.each)
    return best.each
  }

  return {
    coverage,
    /** Creates the next random case. With `restarts`, the case kills the process of the receiver. */
    next(random: () => number, restarts: boolean) {
      const drawn = Array.from({ length: Math.ceil(random() * MAX_PAYMENTS) }, () => drawPayment(random))
      return buildCase(drawn, { range, random, restarts, isCrowd: false })
    },
    /** Creates a random case with many concurrent payments while the service is slow. */
    crowd(random: () => number) {
      const callBack = range.callsBack ? 'slow' : 'none'
      const drawn = Array.from(
        { length: CROWD },
        () => ({ ...drawPayment(random), order: 'only-last', callBack, wire: 'plain' }) as const,
      )
      return buildCase(drawn, { range, random, restarts: false, isCrowd: true })
    },
  }
}

export type Draw = ReturnType<typeof createDraw>

interface Building {
  readonly range: DrawRange
  readonly random: () => number
  readonly restarts: boolean
  readonly isCrowd: boolean
}

function buildCase(drawn: readonly DrawnPayment[], building: Building): ExploredCase {
  const { range, random } = building
  const family = pick(ID_FAMILIES, random)
  const people: PersonPlan[] = []
  const payments: PaymentPlan[] = []
  const branches: Branch[] = []
  for (const traits of drawn) {
    const wanted = range.branches.find((branch) => nameOf(branch) === traits.payment)
    if (!wanted) continue
    const before = payments.at(-1)
    const sharing = before ? traits.sharing : 'alone'
    const branch = sharing === 'all' || sharing === 'item' ? (branches.at(-1) ?? wanted) : wanted
    const isSamePerson = sharing !== 'alone' && sharing !== 'similar-payer' && before?.person !== undefined
    if (!isSamePerson)
      people.push({ id: family[people.length] ?? `{n}-${people.length}`, name: pick(NAMES, random) })
    const person = isSamePerson ? before.person : people.length - 1
    const isSameAmount = sharing === 'payer-and-amount' || sharing === 'all' || sharing === 'item'
    payments.push({
      kind: branch.kind,
      outcome: branch.outcome,
      ...(isSameAmount ? amountOf(before) : drawAmount(traits.amount, random)),
      person,
      ...drawIdentity(sharing, branch, { branches, random }),
      ...(random() < 0.1 && canBeCrafted(branch) && { laterMs: pick(TIME_SHIFTS, random) }),
      ...(random() < 0.1 && canBeCrafted(branch) && { apartMs: pick(TIME_GAPS, random) }),
      ...(random() < 0.2 && paysItem(branch) && sharing !== 'item' && { fee: pick(FEES, random) }),
    })
    branches.push(branch)
  }
  const deliveries = drawDeliveries(drawn, { ...building, branches })
  const users = range.asksAboutUsers ? drawUsers(deliveries.length, random) : []
  return { people, payments, deliveries, ...(users.length > 0 && { users }) }
}

const amountOf = (payment: PaymentPlan | undefined) => ({
  ...(payment?.amount !== undefined && { amount: payment.amount }),
  ...(payment?.currency !== undefined && { currency: payment.currency }),
})

const drawAmount = (amount: AmountClass, random: () => number) => ({
  amount: pick<number>(AMOUNTS[amount], random),
  currency: pick(CURRENCIES, random),
})

function drawIdentity(
  sharing: Sharing,
  branch: Branch,
  { branches, random }: { readonly branches: readonly Branch[]; readonly random: () => number },
): Partial<PaymentPlan> {
  const last = branches.length - 1
  const before = branches[last]
  if (sharing === 'item' && paysItem(branch)) return { item: last }
  if (sharing === 'id' && before && canBeCrafted(branch) && canBeCrafted(before))
    return canShareId(branch, before) ? { sameIdAs: last } : { sameIdAs: last, capitals: true }
  return random() < 0.15 && canBeCrafted(branch) ? { capitals: true } : {}
}

const nameOf = ({ kind, outcome }: Branch) => `${kind} ${outcome}`

const paysItem = ({ parts }: Branch) => parts[0]?.type === 'items'

function drawDeliveries(
  drawn: readonly DrawnPayment[],
  { branches, range, random, restarts, isCrowd }: Building & { readonly branches: readonly Branch[] },
): readonly DeliveryPlan[] {
  const orders = branches.map((branch, of) => {
    const traits = drawn[of]
    if (!traits) return []
    const order = drawOrder(branch, traits.order, { random, callbackTypes: range.callbackTypes })
    const faulty = order.findIndex(
      ({ part }) => isAboutActedOn(branch, part) && (random() < 0.6 || part === branch.deciding),
    )
    const sent = order.map((delivery, index): DeliveryPlan => ({
      ...delivery,
      of,
      ...(traits.wire !== 'plain' && delivery.generation === undefined && { wire: traits.wire }),
      ...(index === faulty && traits.callBack !== 'none' && { callBack: traits.callBack }),
    }))
    if (faulty < 0 || !isMiss(traits.callBack)) return sent
    const parts = order.map(({ part }) => part).filter((part) => isAboutActedOn(branch, part))
    return [...sent, { of, part: Math.max(...parts) }]
  })
  const merged = random() < 0.5 ? interleave(orders, random) : orders.flat()
  const isBurst = isCrowd || random() < 0.15
  const deliveries = isBurst
    ? merged.map((each, index) => (index > 0 ? { ...each, together: true as const } : each))
    : merged
  const isAgain = isAskedAgain({ payments: branches, deliveries }, branches)
  const at = restarts ? Math.floor(random() * deliveries.length) : -1
  return deliveries.map((each, index) => ({
    ...each,
    ...(index === at && { restart: true as const }),
    ...(isMiss(each.callBack) && !isAgain && { callBack: 'reset' as const }),
  }))
}

function isAboutActedOn({ parts, deciding }: Branch, part: number): boolean {
  return parts[part]?.type === parts[deciding ?? parts.length - 1]?.type
}

import type { Item, ItemState } from '../../../spec/generated/service-types.ts'
import { initialItem, itemStatus } from '../../../spec/lifecycles.ts'
import { joinText, type NewObjectDefaults, type ObjectFields, sixDigitsFor } from './draws.ts'
import { drawPerson } from './people.ts'

const THINGS =
  'Armchair, Bicycle, Bookshelf, Camera, Framed photograph, Guitar, Lamp, Rug, Table, Wardrobe'.split(', ')

const DELIVERIES = ['collected by the buyer', 'delivered', 'delivered and set up', 'sent by courier']

function soldThing(id: string): Pick<Item, 'name' | 'description'> {
  const digits = String(sixDigitsFor(id))
  const thing = THINGS[Number(digits.at(-1))] ?? ''
  const delivery = DELIVERIES[Number(digits.at(-2)) % DELIVERIES.length] ?? ''
  return { name: joinText(thing, ', lot ', digits.slice(0, 4)), description: joinText(thing, ', ', delivery) }
}

export function itemFixture({ id, now, newId }: Pick<NewObjectDefaults, 'id' | 'now' | 'newId'>): Item {
  const [buyer, seller] = [drawPerson(newId), drawPerson(newId)]
  return {
    id,
    ...soldThing(id),
    custom_descriptor: null,
    payout_descriptor: null,
    dynamic_descriptor: null,
    created_at: now,
    updated_at: now,
    ...initialItem,
    ...AMOUNTS,
    seller_url: '',
    buyer_url: '',
    payment_type_id: 2,
    due_date: null,
    invoice_url: null,
    deposit_reference: joinText('1000', id.replaceAll(/\D/g, '').slice(0, 11).padEnd(11, '0')),
    ...noFees,
    batch_state: null,
    currency: 'AUD',
    payment_method: 'pending',
    buyer_name: buyer.full_name,
    buyer_email: buyer.email,
    buyer_country: 'AUS',
    seller_name: seller.full_name,
    seller_email: seller.email,
    seller_country: 'AUS',
    payment_credit_card_enabled: true,
    payment_direct_debit_enabled: true,
    tds_check_state: null,
    related: { buyers: newId(), sellers: newId() },
    links: itemLinks(id),
  }
}

const EXAMPLE_AMOUNT = 125_00

const AMOUNTS = {
  amount: EXAMPLE_AMOUNT,
  net_amount: EXAMPLE_AMOUNT,
  remaining_amount: EXAMPLE_AMOUNT,
  total_amount: EXAMPLE_AMOUNT,
  total_outstanding: EXAMPLE_AMOUNT,
  chargedback_amount: 0,
  refunded_amount: 0,
  released_amount: 0,
  requested_release_amount: 0,
  pending_release_amount: 0,
}

const noFees = {
  buyer_fees: 0,
  seller_fees: 0,
  credit_card_fee: 0,
  direct_debit_fee: 0,
  extwallet_fee: 0,
  legacy_fee: 0,
}

export function deriveItemFields(item: Item, fields: ObjectFields): ObjectFields {
  const given: Item = { ...item, ...fields }
  const status = Object.hasOwn(fields, 'state') ? { status: itemStatus(given.state) ?? given.status } : {}
  if (typeof given.amount !== 'number') return status
  const isPriced = ['amount', 'buyer_fees', 'seller_fees'].some((name) => Object.hasOwn(fields, name))
  const prices = isPriced
    ? { net_amount: given.amount - given.seller_fees, total_amount: given.amount + given.buyer_fees }
    : {}
  const isMoved = given.state !== item.state
  const isUnpaid = item.remaining_amount === item.amount
  return {
    ...status,
    ...prices,
    ...((isMoved || (isPriced && isUnpaid)) && stateAmounts({ ...item, ...prices, ...fields })),
  }
}

function itemLinks(id: string): Item['links'] {
  const relation = (name: string) => joinText('/items/', id, '/', name)
  return {
    self: joinText('/items/', id),
    buyers: relation('buyers'),
    sellers: relation('sellers'),
    status: relation('status'),
    fees: relation('fees'),
    transactions: relation('transactions'),
    batch_transactions: relation('batch_transactions'),
    wire_details: relation('wire_details'),
    bpay_details: relation('bpay_details'),
    tds_checks: relation('tds_checks'),
  }
}

type Amounts = Partial<typeof AMOUNTS>

const NOT_RELEASED = { released_amount: 0, requested_release_amount: 0, pending_release_amount: 0 }

function unpaid({ amount, total_amount }: Item): Amounts {
  return { remaining_amount: amount, total_outstanding: total_amount, refunded_amount: 0, ...NOT_RELEASED }
}

const paid = (): Amounts => ({ remaining_amount: 0, total_outstanding: 0 })

/** Returns half of the amount, rounded down to whole minor units. Partial payments and refunds are assumed to have this amount. */
const half = (amount: number) => Math.floor(amount / 2)

/** The amounts for each state, as in the golden bodies. `chargedback_amount` does not depend on the state. Reading: item-states */
const AMOUNTS_BY_STATE: { readonly [State in ItemState]: (item: Item) => Amounts } = {
  pending: unpaid,
  payment_required: unpaid,
  payment_pending: unpaid,
  payment_held: unpaid,
  payment_authorized: unpaid,
  voided: unpaid,
  cancelled: unpaid,
  partial_paid: (item) => ({
    ...unpaid(item),
    remaining_amount: item.amount - half(item.amount),
    total_outstanding: item.total_amount - half(item.amount),
  }),
  payment_deposited: () => ({ ...paid(), refunded_amount: 0, ...NOT_RELEASED }),
  work_completed: ({ net_amount }) => ({ ...paid(), ...NOT_RELEASED, requested_release_amount: net_amount }),
  problem_flagged: paid,
  partial_completed: ({ net_amount }) => ({
    ...paid(),
    released_amount: half(net_amount),
    requested_release_amount: 0,
    pending_release_amount: net_amount - half(net_amount),
  }),
  completed: ({ net_amount }) => ({ ...paid(), ...NOT_RELEASED, released_amount: net_amount }),
  refund_flagged: paid,
  refund_pending: paid,
  refunded: ({ amount }) => ({ ...paid(), ...NOT_RELEASED, refunded_amount: amount }),
}

function stateAmounts(item: Item): Amounts {
  return Object.hasOwn(AMOUNTS_BY_STATE, item.state) ? AMOUNTS_BY_STATE[item.state](item) : {}
}

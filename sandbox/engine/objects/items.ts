import type { Item, User } from '../../../spec/generated/service-types.ts'
import { initialItem, itemStatus } from '../../../spec/lifecycles.ts'
import type { Birth, Fields } from './plausible.ts'

/** A plausible item, with the given fields in place of ours. It may break the spec if they do. */
export function newItem(fields: Fields, { id, now, newId }: Pick<Birth, 'id' | 'now' | 'newId'>): Item {
  const plausible: Item = {
    id,
    name: 'Landscape photograph, framed',
    description: 'A2, oak frame, delivered',
    custom_descriptor: null,
    payout_descriptor: null,
    dynamic_descriptor: null,
    created_at: now,
    updated_at: now,
    ...initialItem,
    ...unpaid(125_00),
    seller_url: '',
    buyer_url: '',
    payment_type_id: 2,
    due_date: null,
    invoice_url: null,
    deposit_reference: `1000${id.replaceAll(/\D/g, '').slice(0, 11).padEnd(11, '0')}`,
    ...noFees,
    batch_state: null,
    currency: 'AUD',
    payment_method: 'pending',
    buyer_name: 'Neve Byrne',
    buyer_email: 'neve.byrne@example.test',
    buyer_country: 'AUS',
    seller_name: 'Samuel Seed',
    seller_email: 'samuel.seed@example.test',
    seller_country: 'AUS',
    payment_credit_card_enabled: true,
    payment_direct_debit_enabled: true,
    tds_check_state: null,
    related: { buyers: newId(), sellers: newId() },
    links: itemLinks(id),
  }
  return withDependents(plausible, fields)
}

/** What an item says of its buyer and its seller. Source: §2.5 */
export function partiesOf(buyer: User, seller: User): Fields {
  return {
    buyer_name: buyer.full_name,
    buyer_email: buyer.email,
    buyer_country: buyer.location,
    seller_name: seller.full_name,
    seller_email: seller.email,
    seller_country: seller.location,
    related: { buyers: buyer.id, sellers: seller.id },
  }
}

const noFees = {
  buyer_fees: 0,
  seller_fees: 0,
  credit_card_fee: 0,
  direct_debit_fee: 0,
  extwallet_fee: 0,
  legacy_fee: 0,
}

/** The amounts of an item that nobody has paid yet. */
function unpaid(amount: number) {
  return {
    amount,
    net_amount: amount,
    remaining_amount: amount,
    total_amount: amount,
    total_outstanding: amount,
    chargedback_amount: 0,
    refunded_amount: 0,
    released_amount: 0,
    requested_release_amount: 0,
    pending_release_amount: 0,
  }
}

/** The item with these fields changed and what depends on them brought along; the same item if nothing changes. */
export function changedItem(item: Item, fields: Fields, now: string): Item {
  const changed = withDependents(item, fields)
  // No change, no new revision. Reading: no-op-update
  if (JSON.stringify(changed) === JSON.stringify(item)) return item
  return { ...changed, updated_at: now }
}

/** A field that is given wins over what would follow from another. */
function withDependents(item: Item, fields: Fields): Item {
  const given: Item = { ...item, ...fields }
  const derived: Record<string, unknown> = {}
  if (Object.hasOwn(fields, 'state')) derived['status'] = itemStatus(given.state) ?? given.status
  if (typeof given.amount === 'number' && touches(fields, ['amount', 'buyer_fees', 'seller_fees'])) {
    const isUnpaid = item.remaining_amount === item.amount
    derived['net_amount'] = given.amount - given.seller_fees
    derived['total_amount'] = given.amount + given.buyer_fees
    if (isUnpaid) derived['remaining_amount'] = given.amount
    if (isUnpaid) derived['total_outstanding'] = given.amount + given.buyer_fees
  }
  return { ...given, ...derived, ...fields }
}

function touches(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(fields, name))
}

function itemLinks(id: string): Item['links'] {
  const relation = (name: string) => `/items/${id}/${name}`
  return {
    self: `/items/${id}`,
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

import { valueAt } from '../../../spec/json-values.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import {
  type CreatedType,
  isParticipantRole,
  type PaymentKind,
  type PaymentNotification,
} from '../../../spec/payments.ts'
import { type ObjectFields, sixDigitsFor } from '../objects/draws.ts'
import { addressFields } from '../objects/people.ts'
import type { Participants, PaymentTerms } from '../state/entries.ts'
import type { View } from '../state/view.ts'

export interface CreatedObject extends PaymentTerms {
  readonly objectId: string
}

export function notificationFields(
  notification: PaymentNotification,
  payment: CreatedObject,
  view: View,
): ObjectFields {
  const { object, type, type_method, state, sets = {} } = notification
  const partyFields: Partial<Record<NotifiedType, PartyFields>> = PARTY_FIELDS[payment.kind]
  const fields = {
    ...(type !== undefined && { type }),
    ...(type_method !== undefined && { type_method }),
    amount: notificationAmount(notification, payment, view),
    currency: payment.currency,
    state,
    ...(object === 'batch_transactions' && itemReferences(payment, view)),
    ...partyFields[object]?.(payment, view),
  }
  return withSets(fields, sets, payment)
}

/** Returns the amount in a notification, in minor units. This is the full amount, or the amount without the fees of the item. */
export function notificationAmount(
  { amount: part }: PaymentNotification,
  { participants, amount }: PaymentTerms,
  view: View,
): number {
  if (part !== 'net' || participants.item === undefined) return amount
  return view.object('items', participants.item)?.body.net_amount ?? amount
}

/** Returns the reference of the item that a payment pays. Empty if the payment pays no item. Source: §2.5, §2.7 */
function itemReferences({ participants: { item: id } }: PaymentTerms, view: View): ObjectFields {
  const item = id === undefined ? undefined : view.object('items', id)?.body
  return item ? { reference: item.name, deposit_reference: item.deposit_reference } : {}
}

type PartyFields = (payment: CreatedObject, view: View) => ObjectFields

/** The fields that name the payer, the payee and their accounts, by object type. Source: §2.4, §2.7, §2.8 */
const PARTY_FIELDS = {
  'direct-credit-payout': {
    batch_transactions: payoutParties('bank_account'),
    transactions: ({ objectId, participants: { seller, wallet_account, bank_account } }, view) => ({
      user_id: seller,
      payee_name: fullName(seller, view),
      dynamic_descriptor: payoutDescriptor(seller, { objectId, view }),
      account_id: wallet_account,
      related: otherSide(objectId, { id: bank_account, type: 'bank_account' }, personFields(seller, view)),
    }),
  },
  'bpay-payout': {
    batch_transactions: (payment, view) => ({
      ...payeeFields(payment.participants, view),
      ...payoutParties('bpay_disbursement_account')(payment),
    }),
  },
  'realtime-payout': {
    disbursements: payeeAccountFields,
  },
  'card-payin': {
    transactions: ({ objectId, participants: { item, buyer, seller, card_account } }, view) => ({
      user_id: seller,
      user_name: fullName(seller, view),
      payee_name: fullName(seller, view),
      account_id: item,
      related: otherSide(objectId, { id: card_account, type: 'card_account' }, personFields(buyer, view)),
    }),
    // A settlement moves the amount from the item to the payee's wallet. Reading: settlement-batch
    batch_transactions: ({ participants: { item, buyer, seller, wallet_account } }) => ({
      debit_credit: 'credit',
      batch_id: null,
      user_id: buyer,
      account_id: item,
      related: { account_to: { id: wallet_account, account_type: 'wallet_account', user_id: seller } },
    }),
  },
  'direct-debit-payin': {
    batch_transactions: ({ participants: { item, buyer, bank_account } }) => ({
      user_id: buyer,
      account_id: bank_account,
      related: { account_to: { id: item, account_type: 'item', user_id: buyer } },
    }),
  },
  'bpay-payin': {
    batch_transactions: ({ participants: { seller, wallet_account } }) => ({
      user_id: seller,
      account_id: wallet_account,
      related: { account_to: { id: wallet_account, account_type: 'wallet_account', user_id: seller } },
    }),
    transactions: depositParties('bpay_funding_account'),
  },
  'npp-payin': {
    transactions: (payment, view) => ({
      ...depositParties('npp_payin_account')(payment, view),
      payin_details: payinDetails(payment, view),
    }),
  },
  'direct-credit-payin': { transactions: depositParties('de_payin_account') },
  'wallet-to-item-transfer': {
    transactions: ({ objectId, participants: { item, buyer, seller, buyer_wallet } }, view) => ({
      user_id: buyer,
      user_name: fullName(buyer, view),
      payee_name: fullName(seller, view),
      account_id: buyer_wallet,
      related: otherSide(objectId, { id: item, type: 'item' }, personFields(buyer, view)),
    }),
  },
  'virtual-account-activation': {},
} satisfies { readonly [Kind in PaymentKind]: { readonly [Type in CreatedType<Kind>]: PartyFields } }

function payoutParties(account_type: string): (payment: PaymentTerms) => ObjectFields {
  return ({ participants: { seller, wallet_account, bank_account } }) => ({
    user_id: seller,
    account_id: wallet_account,
    related: { account_to: { id: bank_account, account_type, user_id: seller } },
  })
}

function depositParties(fundingAccount: string): PartyFields {
  return ({ objectId, via, participants: { seller, wallet_account } }, view) => ({
    user_id: seller,
    user_name: fullName(seller, view),
    payee_name: fullName(seller, view),
    account_id: wallet_account,
    // A payer who pays by CRN has no name in `related`, as in the golden body.
    related: otherSide(
      objectId,
      { id: null, type: fundingAccount },
      via === 'crn' ? { user_id: seller } : personFields(seller, view),
    ),
  })
}

/** Returns the fields that determine the form of a pay-in and identify its payee. Source: §2.4 */
function payinDetails({ via, participants: { seller } }: PaymentTerms, view: View): ObjectFields | null {
  if (via === 'virtual-account') return null
  if (via === 'crn') return { pay_id: null, pay_id_type: null }
  const payee = view.object('users', seller)?.body
  return payee ? { pay_id: payee.email, pay_id_type: '/EMAL' } : {}
}

/** Returns the counterparty with the transaction's id, so that a receiver can fetch the transaction. Source: §2.4, §6.2 */
function otherSide(
  id: string,
  account: { readonly id: string | null | undefined; readonly type: string },
  person: ObjectFields,
): ObjectFields {
  return { transactions: [{ id, account_id: account.id, account_type: account.type, ...person }] }
}

/** Returns the fields for the user who owns the counterparty's account. Source: §2.4 */
function personFields(user: string | undefined, view: View): ObjectFields {
  return { user_id: user, user_name: fullName(user, view) }
}

function payoutDescriptor(
  user: string,
  { objectId, view }: { readonly objectId: string; readonly view: View },
): string {
  const own = view.object('users', user)?.body.custom_descriptor ?? ''
  return `${own === '' ? 'PAYOUT' : own} ${sixDigitsFor(objectId)}`
}

/** Returns the fields for the account that receives a disbursement. Source: §2.8 */
export function payeeAccountFields(
  { kind, participants: { seller, bank_account: account = '' } }: PaymentTerms,
  view: View,
): ObjectFields {
  const bank_account_name = fullName(seller, view)
  if (kind === 'bpay-payout') {
    // Derives the account number from the id, because the sandbox stores no BPAY accounts. Hookbench chose this rule.
    const digits = String(sixDigitsFor(account))
    const numbers = {
      bank_account_number: `XXXXX${digits.slice(3)}`,
      bank_routing_number: `XXX${digits.slice(0, 3)}`,
    }
    return { to: 'BPAY Account', bank_name: 'BPAY', bank_account_name, ...numbers }
  }
  const bank = view.accountOwner(account)?.bank
  if (!bank) return { bank_account_name }
  return {
    bank_name: bank.bank_name,
    bank_account_name: bank.account_name,
    bank_account_number: bank.account_number,
    bank_routing_number: bank.routing_number,
  }
}

function fullName(user: string | undefined, view: View): string {
  return (user === undefined ? undefined : view.object('users', user)?.body.full_name) ?? 'Samuel Seed'
}

/** Returns the fields of the payee for the extended form of a batch transaction. Source: §2.7 */
function payeeFields({ seller, wallet_account }: Participants, view: View): ObjectFields {
  const payee = view.object('users', seller)?.body
  if (!payee) return { user_external_id: seller }
  const { first_name, last_name, email, phone, related } = payee
  const wallet = view.object('accounts', wallet_account)?.body
  return {
    first_name,
    last_name,
    user_email: email,
    user_external_id: seller,
    ...(phone !== null && { phone }),
    ...(wallet && { legal_entity_id: String(wallet.legal_entity_id) }),
    ...addressFields(String(sixDigitsFor(related.addresses ?? seller))),
  }
}

/** Sets the fields that the document derives from other values, such as `related.account_to.id` = `item.id`. Source: §6.2 */
function withSets(
  fields: ObjectFields,
  sets: Readonly<Record<string, string>>,
  { participants, objectId }: CreatedObject,
): ObjectFields {
  const whole: Record<string, unknown> = structuredClone({ ...fields })
  for (const [path, reference] of Object.entries(sets)) {
    const [role = '', part] = reference.split('.')
    const id = role === 'self' ? objectId : isParticipantRole(role) ? participants[role] : undefined
    setPath(whole, path, part === 'id' && id !== undefined ? id : reference)
  }
  return whole
}

function setPath(whole: object, path: string, value: unknown): void {
  const keys = ['', ...path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')]
  const last = keys.pop() ?? ''
  const holder = valueAt(whole, keys.join('/'))
  if (typeof holder !== 'object' || holder === null)
    throw new TypeError(`Cannot set "${path}": the body has no object at this path`)
  Reflect.set(holder, last, value)
}

import type { Arrival } from '../../../spec/payments.ts'
import type { Fields } from '../objects/plausible.ts'
import type { View } from '../state/view.ts'
import { amountOf } from './effects.ts'
import type { Payment } from '../state/payment.ts'

/** What a payment says of the objects that it makes, where the golden body of their kind would speak of somebody else. */
export function fieldsOf(arrival: Arrival, payment: Payment, view: View): Fields {
  const { object, type, type_method, state, sets = {} } = arrival
  const kind = { ...(type !== undefined && { type }), ...(type_method !== undefined && { type_method }) }
  const common = { ...kind, amount: amountOf(arrival, payment, view), currency: payment.currency }
  switch (object) {
    case 'batch_transactions':
      return withSets({ ...common, state, ...batchParties(arrival, payment, view) }, sets, payment)
    case 'transactions':
      return withSets({ ...common, state, ...transactionParties(arrival, payment, view) }, sets, payment)
    case 'disbursements':
      return {
        amount: payment.amount,
        currency: payment.currency,
        state,
        bank_account_name: nameOf(payment.cast.seller, view),
        ...bankOf(payment, view),
      }
    case 'virtual_accounts':
    case 'items':
    case 'users':
    case 'accounts':
    case 'companies':
      return {}
    default:
      return object satisfies never
  }
}

/** The account that is paid out to, if the platform made it. Source: §2.8 */
function bankOf({ cast }: Payment, view: View): Fields {
  const bank = cast.bank_account === null ? undefined : view.ownerOf(cast.bank_account)?.bank
  if (!bank) return {}
  return {
    bank_name: bank.bank_name,
    bank_account_name: bank.account_name,
    bank_account_number: bank.account_number,
    bank_routing_number: bank.routing_number,
  }
}

function batchParties({ type, type_method }: Arrival, { cast }: Payment, view: View): Fields {
  const payee = { id: cast.wallet_account, account_type: 'wallet_account', user_id: cast.seller }
  if (type === 'disbursement') {
    const account_type = type_method === 'bpay' ? 'bpay_disbursement_account' : 'bank_account'
    const account_to = { id: cast.bank_account, account_type, user_id: cast.seller }
    const person = type_method === 'bpay' ? personOf(cast.seller, view) : {}
    return { ...person, user_id: cast.seller, account_id: cast.wallet_account, related: { account_to } }
  }
  if (type === 'bpay')
    return { user_id: cast.seller, account_id: cast.wallet_account, related: { account_to: payee } }
  // A card payment is settled out of the item to the payee's wallet; a direct debit goes from the buyer to the item.
  const account_to =
    type === 'payment_funding' ? payee : { id: cast.item, account_type: 'item', user_id: cast.buyer }
  return { user_id: cast.buyer, account_id: cast.bank_account ?? cast.item, related: { account_to } }
}

const FUNDING: Readonly<Record<string, string>> = {
  npp_payin: 'npp_payin_account',
  direct_credit: 'de_payin_account',
  bpay: 'bpay_funding_account',
}

function transactionParties({ type, type_method = '' }: Arrival, payment: Payment, view: View): Fields {
  const { cast } = payment
  const other = (account_id: string | null, account_type: string, user_id: string | null) => ({
    transactions: [{ id: payment.id, account_id, account_type, user_id }],
  })
  if (type === 'deposit') {
    const related = other(null, FUNDING[type_method] ?? 'npp_payin_account', cast.seller)
    return {
      user_id: cast.seller,
      user_name: nameOf(cast.seller, view),
      account_id: cast.wallet_account,
      related,
    }
  }
  const name = nameOf(cast.buyer ?? cast.seller, view)
  if (type === 'disbursement') {
    return {
      user_id: cast.seller,
      account_id: cast.wallet_account,
      related: other(cast.bank_account, 'bank_account', cast.seller),
    }
  }
  const paysItem = type_method === 'credit_card'
  return {
    user_id: paysItem ? cast.seller : cast.buyer,
    user_name: paysItem ? nameOf(cast.seller, view) : name,
    account_id: paysItem ? cast.item : cast.buyer_wallet,
    related: paysItem
      ? other(cast.card_account, 'card_account', cast.buyer)
      : other(cast.item, 'item', cast.buyer),
  }
}

function nameOf(user: string, view: View): string {
  return view.object('users', user)?.body.full_name ?? 'Samuel Seed'
}

/** What the extended form says of the person that is paid. Source: §2.7 */
function personOf(user: string, view: View): Fields {
  const found = view.object('users', user)?.body
  if (!found) return { user_external_id: user }
  const { first_name, last_name, email } = found
  return { first_name, last_name, user_email: email, user_external_id: user }
}

/** Applies what the document says of fields, such as `related.account_to.id` = `item.id`. Source: §6.2 */
function withSets(fields: Fields, sets: Readonly<Record<string, string>>, { cast }: Payment): Fields {
  const whole: Record<string, unknown> = structuredClone({ ...fields })
  for (const [path, reference] of Object.entries(sets)) {
    // The object's own id is known only when it is made.
    if (reference === 'self.id') continue
    const [role = '', part] = reference.split('.')
    const value: unknown = part === 'id' ? Reflect.get(cast, role) : reference
    setPath(whole, path, value)
  }
  return whole
}

/** Sets `related.transactions[0].id` and the like; what the path leads through must be there. */
export function setPath(whole: object, path: string, value: unknown): void {
  const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  const last = keys.pop() ?? ''
  const holder = keys.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined),
    whole,
  )
  if (typeof holder !== 'object' || holder === null)
    throw new TypeError(`Cannot set "${path}": nothing is there to hold it`)
  Reflect.set(holder, last, value)
}

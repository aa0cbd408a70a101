import type { Item } from '../../spec/generated/service-types.ts'
import type { Arrival } from '../../spec/payments.ts'
import type { Fields } from '../objects/plausible.ts'

const PAID = { remaining_amount: 0, total_outstanding: 0 } as const

/** What becomes of the item when this arrives; undefined if nothing. Reading: item-states, unshown-transitions */
export function itemEffect({ object, type, type_method, state }: Arrival, item: Item): Fields | undefined {
  if (object === 'transactions' && type === 'payment') {
    return { state: 'payment_deposited', payment_method: type_method, ...PAID }
  }
  if (type === 'payment_funding') return { state: 'completed', released_amount: item.net_amount }
  if (type !== 'payment') return undefined
  switch (state) {
    case 'batched':
      return { state: 'payment_pending', payment_method: type_method, batch_state: state }
    case 'bank_processing':
      return { batch_state: state }
    case 'successful':
      return { state: 'payment_deposited', batch_state: state, ...PAID }
    default:
      return { state: 'payment_required', batch_state: state }
  }
}

/** By how much the wallet's amount moves when this arrives, in parts of the payment's amount: 1, 0 or -1. */
export function walletEffect({ object, type, state }: Arrival, isNew: boolean): number {
  const isPayout = type === 'disbursement' || object === 'disbursements'
  if (isPayout && isNew) return state === 'cancelled' ? 0 : -1
  // What could not be paid out comes back.
  if (isPayout) return state === 'invalid_account_details' || state === 'cancelled' ? 1 : 0
  if (type === 'deposit' || type === 'payment_funding') return 1
  return 0
}

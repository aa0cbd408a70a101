import type { Item } from '../../../spec/generated/service-types.ts'
import type { Arrival } from '../../../spec/payments.ts'
import { changedObject } from '../objects/makers.ts'
import type { Fields } from '../objects/plausible.ts'
import type { EngineContext } from '../state/context.ts'
import type { View } from '../state/view.ts'
import type { Payment } from '../state/payment.ts'
import { timestamp } from '../core/timestamp.ts'
import type { ObjectWrite } from '../state/write.ts'

const PAID = { remaining_amount: 0, total_outstanding: 0 } as const

/** What becomes of the item when this arrives; undefined if nothing. Reading: item-states, unshown-transitions */
function itemEffect({ object, type, type_method, state }: Arrival, item: Item): Fields | undefined {
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
function walletEffect({ object, type, state }: Arrival, isNew: boolean): number {
  const isPayout = type === 'disbursement' || object === 'disbursements'
  if (isPayout && isNew) return state === 'cancelled' ? 0 : -1
  // What could not be paid out comes back.
  if (isPayout) return state === 'invalid_account_details' || state === 'cancelled' ? 1 : 0
  if (type === 'deposit' || type === 'payment_funding') return 1
  return 0
}

/** What this part of the payment moves: all that is paid, but to the payee what is left after the fees. Minor units. */
export function amountOf({ type }: Arrival, { cast, amount }: Payment, view: View): number {
  if (type !== 'payment_funding' || cast.item === null) return amount
  return view.object('items', cast.item)?.body.net_amount ?? amount
}

/** What else changes: the item, which notifies as any change of it does, and the amounts of wallets, which notify nobody. */
export function effectsOf(
  arrival: Arrival,
  payment: Payment,
  { context, isNew }: { readonly context: EngineContext; readonly isNew: boolean },
): ObjectWrite[] {
  const { cast } = payment
  const { view } = context
  const now = timestamp(context.now())
  const item = cast.item === null ? undefined : view.object('items', cast.item)?.body
  const fields = item && itemEffect(arrival, item)
  const paid: ObjectWrite[] =
    item && fields
      ? [{ kind: 'object', object_type: 'items', object: changedObject('items', item, { fields, now }) }]
      : []
  const amount = amountOf(arrival, payment, view)
  const wallet = walletMoved(cast.wallet_account, walletEffect(arrival, isNew) * amount, view)
  const isTransfer = arrival.type === 'payment' && arrival.type_method === 'wallet_account_transfer'
  const payer = walletMoved(cast.buyer_wallet, isTransfer && isNew ? -amount : 0, view)
  return [...paid, ...wallet, ...payer]
}

function walletMoved(id: string | null, by: number, view: View): ObjectWrite[] {
  const wallet = id === null || by === 0 ? undefined : view.object('accounts', id)?.body
  if (!wallet) return []
  const object = { ...wallet, amount: wallet.amount + by }
  return [{ kind: 'object', object_type: 'accounts', object, silent: true }]
}

import type { PaymentKind } from '../../spec/payments.ts'
import type { Consequence } from './options.ts'

const batch = (type: string, type_method: string): Consequence => ({
  object_type: 'batch_transactions',
  type,
  type_method,
  state: 'successful',
})
const transaction = (type: string, type_method: string): Consequence => ({
  object_type: 'transactions',
  type,
  type_method,
  state: 'successful',
})

/**
 * Whose success a platform acts on, for each kind of payment. What else the payment notifies has no further effect: the later
 * payment_funding of a card pay-in is settlement, the batch transaction of a BPAY pay-in is its twin. Ours.
 */
export const CONSEQUENCES: { readonly [Kind in PaymentKind]: Consequence } = {
  'direct-credit-payout': batch('disbursement', 'direct_credit'),
  'bpay-payout': batch('disbursement', 'bpay'),
  'direct-debit-payin': batch('payment', 'direct_debit'),
  'realtime-payout': { object_type: 'disbursements', state: 'successful' },
  'card-payin': transaction('payment', 'credit_card'),
  'bpay-payin': transaction('deposit', 'bpay'),
  'npp-payin': transaction('deposit', 'npp_payin'),
  'direct-credit-payin': transaction('deposit', 'direct_credit'),
  'wallet-to-item-transfer': transaction('payment', 'wallet_account_transfer'),
  'virtual-account-activation': { object_type: 'virtual_accounts', state: 'active' },
}

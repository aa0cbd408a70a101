import type { NotifiedType, PaymentKind } from '../../spec/types.ts'
import { fieldOf, idOf, isRecord, isText, objectIn } from './notice.ts'

/** What the service shows of an object, as far as we have a use for it. */
export interface Known {
  readonly type: NotifiedType
  /** What it is kept under, however it was asked for. */
  readonly id: string
  /** The integer that the extended form and accounts are also known by; null if there is none. Source: §2.7, §2.8 */
  readonly number: string | null
  /** `type/type_method` of a transaction; null for others. */
  readonly kind: string | null
  /** The service's word; null for types that have none. */
  readonly state: string | null
  /** Epoch milliseconds; null for types that show none. */
  readonly updatedAt: number | null
  /** Minor units. */
  readonly amount: number | null
  readonly currency: string | null
}

/** States after which an object does not change any more. Items and users have none. Source: §3 */
const FINAL: Partial<Readonly<Record<NotifiedType, readonly string[]>>> = {
  transactions: ['successful'],
  batch_transactions: ['successful', 'invalid_account_details', 'failed_direct_debit'],
  disbursements: ['successful', 'cancelled'],
  virtual_accounts: ['active', 'activation_failed'],
}

/** What has a consequence when it succeeds; the settlement of a card pay-in and the BPAY twin have none. Source: §6.2 */
const CONSEQUENCES: { readonly [Kind in PaymentKind]: string } = {
  'direct-credit-payout': 'batch_transactions disbursement/direct_credit',
  'bpay-payout': 'batch_transactions disbursement/bpay',
  'direct-debit-payin': 'batch_transactions payment/direct_debit',
  'card-payin': 'transactions payment/credit_card',
  'wallet-to-item-transfer': 'transactions payment/wallet_account_transfer',
  'bpay-payin': 'transactions deposit/bpay',
  'npp-payin': 'transactions deposit/npp_payin',
  'direct-credit-payin': 'transactions deposit/direct_credit',
  'realtime-payout': 'disbursements',
  'virtual-account-activation': 'virtual_accounts',
}

const CONSEQUENTIAL: ReadonlySet<string> = new Set(Object.values(CONSEQUENCES))

/** The object that was asked for, out of what the service answered; undefined if that is another one. */
export function knownFrom(body: unknown, type: NotifiedType, askedFor: string): Known | undefined {
  const object = objectIn(body, type) ?? (type === 'virtual_accounts' && isRecord(body) ? body : undefined)
  const shownId = idOf(object)
  if (!object || shownId === undefined) return undefined
  const uuid = textIn(object, 'uuid')
  if (shownId !== askedFor && uuid !== askedFor) return undefined
  const kind = textIn(object, 'type_method')
  return {
    type,
    id: uuid ?? shownId,
    number: uuid === null ? null : shownId,
    kind: kind === null ? null : `${textIn(object, 'type')}/${kind}`,
    state: stateIn(object, type),
    updatedAt: timeIn(object),
    amount: amountIn(object),
    currency: textIn(object, 'currency'),
  }
}

/** Whether what is shown now may replace what is believed: a final state never goes, and an older word never comes. */
export function mayReplace(before: Known | undefined, now: Known): boolean {
  if (!before) return true
  if (isFinal(before) && now.state !== before.state) return false
  return before.updatedAt === null || now.updatedAt === null || now.updatedAt >= before.updatedAt
}

/** Whether its consequence is due. Source: §6.2 */
export function isDue({ type, kind, state }: Known): boolean {
  const success = type === 'virtual_accounts' ? 'active' : 'successful'
  return state === success && CONSEQUENTIAL.has(kind === null ? type : `${type} ${kind}`)
}

function isFinal({ type, state }: Known): boolean {
  return state !== null && FINAL[type]?.includes(state) === true
}

function stateIn(object: object, type: NotifiedType): string | null {
  if (type === 'users') return textIn(object, 'verification_state')
  return textIn(object, type === 'virtual_accounts' ? 'status' : 'state')
}

/** Written with Z or with an offset, it is the same instant. Source: §2.3, §6.3 */
function timeIn(object: object): number | null {
  const time = Date.parse(textIn(object, 'updated_at') ?? '')
  return Number.isNaN(time) ? null : time
}

function amountIn(object: object): number | null {
  const amount = fieldOf(object, 'amount')
  return typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : null
}

function textIn(object: object, name: string): string | null {
  const value = fieldOf(object, name)
  return isText(value) ? value : null
}

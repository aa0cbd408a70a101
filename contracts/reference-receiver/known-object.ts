import type { NotifiedType, PaymentKind } from '../../spec/types.ts'
import { readField, readId, isRecord, isString, findObject } from './notification.ts'

/** What the service shows of an object, as far as we have a use for it. */
export interface KnownObject {
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
  /** Whom it is about, and which account; null for types that name none. */
  readonly userId: string | null
  readonly accountId: string | null
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
export function parseKnownObject(
  body: unknown,
  type: NotifiedType,
  askedFor: string,
): KnownObject | undefined {
  const object = findObject(body, type) ?? (type === 'virtual_accounts' && isRecord(body) ? body : undefined)
  const shownId = readId(object)
  if (!object || shownId === undefined) return undefined
  const uuid = readText(object, 'uuid')
  if (shownId !== askedFor && uuid !== askedFor) return undefined
  const kind = readText(object, 'type_method')
  return {
    type,
    id: uuid ?? shownId,
    number: uuid === null ? null : shownId,
    kind: kind === null ? null : `${readText(object, 'type')}/${kind}`,
    state: readState(object, type),
    updatedAt: readTime(object),
    amount: readAmount(object),
    currency: readText(object, 'currency'),
    userId: readText(object, 'user_id'),
    accountId: readText(object, 'account_id'),
  }
}

/** Whether what is shown now may replace what is believed: a final state never goes, and an older word never comes. */
export function canReplace(before: KnownObject | undefined, now: KnownObject): boolean {
  if (!before) return true
  if (isFinal(before) && now.state !== before.state) return false
  return before.updatedAt === null || now.updatedAt === null || now.updatedAt >= before.updatedAt
}

/** Whether its consequence is due. Source: §6.2 */
export function isDue({ type, kind, state }: KnownObject): boolean {
  const success = type === 'virtual_accounts' ? 'active' : 'successful'
  return state === success && CONSEQUENTIAL.has(kind === null ? type : `${type} ${kind}`)
}

function isFinal({ type, state }: KnownObject): boolean {
  return state !== null && FINAL[type]?.includes(state) === true
}

function readState(object: object, type: NotifiedType): string | null {
  if (type === 'users') return readText(object, 'verification_state')
  return readText(object, type === 'virtual_accounts' ? 'status' : 'state')
}

/** Written with Z or with an offset, it is the same instant. Source: §2.3, §6.3 */
function readTime(object: object): number | null {
  const time = Date.parse(readText(object, 'updated_at') ?? '')
  return Number.isNaN(time) ? null : time
}

function readAmount(object: object): number | null {
  const amount = readField(object, 'amount')
  return typeof amount === 'number' && Number.isSafeInteger(amount) ? amount : null
}

function readText(object: object, name: string): string | null {
  const value = readField(object, name)
  return isString(value) ? value : null
}

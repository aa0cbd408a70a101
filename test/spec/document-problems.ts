import {
  ACCOUNT,
  COMPANY,
  DISBURSEMENT,
  ITEM,
  USER,
  VIRTUAL_ACCOUNT,
  batchShape,
  transactionShape,
} from './document-objects.ts'
import { misfits, type Fields } from './shapes.ts'

/** §2.9 */
const TRANSACTION_KINDS = [
  'deposit / npp_payin',
  'deposit / direct_credit',
  'deposit / bpay',
  'payment / wallet_account_transfer',
  'payment / credit_card',
  'disbursement / direct_credit',
]

/** The states of each kind in §2.9, §3 and §6.2. Reading: failed-direct-debit */
const BATCH_STATES: Readonly<Record<string, readonly string[]>> = {
  'disbursement / direct_credit': ['batched', 'bank_processing', 'successful', 'invalid_account_details'],
  'disbursement / bpay': ['bank_processing', 'successful', 'invalid_account_details'],
  'payment / direct_debit': [
    'batched',
    'bank_processing',
    'successful',
    'invalid_account_details',
    'failed_direct_debit',
  ],
  'payment_funding / credit_card': ['successful'],
  'bpay / bpay': ['bpay_pending', 'successful'],
}

/** §3: "Status codes paired with batch_transactions states". The last two codes follow the reading batch-codes. */
export const BATCH_CODES: Readonly<Record<string, number>> = {
  bank_processing: 12700,
  successful: 12000,
  invalid_account_details: 12360,
  failed_direct_debit: 12370,
  batched: 12200,
  bpay_pending: 12710,
}

/** §2.5 shows the code 22000 for pending. The other codes follow the reading item-states. */
export const ITEM_CODES: Readonly<Record<string, number>> = {
  pending: 22000,
  payment_required: 22100,
  payment_pending: 22150,
  payment_held: 22175,
  payment_authorized: 22180,
  voided: 22195,
  payment_deposited: 22200,
  work_completed: 22300,
  problem_flagged: 22400,
  completed: 22500,
  cancelled: 22575,
  refunded: 22600,
  refund_pending: 22610,
  refund_flagged: 22650,
  partial_completed: 22700,
  partial_paid: 22800,
}

/** §3: the npp_payout_state of a disbursement in each state. */
export const PAYOUT_STATES: Readonly<Record<string, string>> = {
  bank_processing: 'trying',
  successful: 'successful',
  cancelled: 'failed',
}

const at = (value: unknown, key: string | number): unknown => Reflect.get(Object(value), key)
const kindOf = ({ type, type_method }: Fields) => `${String(type)} / ${String(type_method)}`
const unless = (holds: boolean, problem: string) => (holds ? [] : [problem])

function selfProblems(type: string, { id, links }: Fields): string[] {
  const self = at(links, 'self')
  // §2.3: `self` is null or the object's own path.
  return unless(self === null || self === `/${type}/${String(id)}`, 'links.self is not its own path')
}

function transactionProblems(object: Fields): string[] {
  const entry = at(at(at(object, 'related'), 'transactions'), 0)
  // §6.2: the first related transaction of a card pay-in is the transaction itself, on the card account.
  const isOwn = at(entry, 'id') === object['id'] && at(entry, 'account_type') === 'card_account'
  return [
    ...misfits(object, transactionShape(object)),
    ...selfProblems('transactions', object),
    ...unless(TRANSACTION_KINDS.includes(kindOf(object)), 'is of no kind of §2.9'),
    ...unless(object['type_method'] !== 'credit_card' || isOwn, 'its related transaction is not its own'),
  ]
}

function batchProblems(object: Fields): string[] {
  const state = String(object['state'])
  return [
    ...misfits(object, batchShape(object)),
    ...selfProblems('batch_transactions', object),
    ...unless(BATCH_STATES[kindOf(object)]?.includes(state) ?? false, `${kindOf(object)} is never ${state}`),
    ...unless(object['status'] === BATCH_CODES[state], `${state} is not ${String(object['status'])}`),
  ]
}

function itemProblems(object: Fields): string[] {
  const pair = `${String(object['state'])} with ${String(object['status'])}`
  return [
    ...misfits(object, ITEM),
    ...selfProblems('items', object),
    ...unless(ITEM_CODES[String(object['state'])] === object['status'], pair),
  ]
}

function disbursementProblems(object: Fields): string[] {
  const { state, npp_payout_state: payout, partner_payment_transaction_id: partner } = object
  return [
    ...misfits(object, DISBURSEMENT),
    ...unless(PAYOUT_STATES[String(state)] === payout, `${String(state)} with ${String(payout)}`),
    // §2.8: `partner` has a value only after success.
    ...unless((partner === null) === (state !== 'successful'), 'the partner has no id, or has it too early'),
  ]
}

const PROBLEMS: Readonly<Record<string, (object: Fields) => string[]>> = {
  items: itemProblems,
  users: (object) => [...misfits(object, USER), ...selfProblems('users', object)],
  accounts: (object) => misfits(object, ACCOUNT),
  companies: (object) => [...misfits(object, COMPANY), ...selfProblems('companies', object)],
  transactions: transactionProblems,
  batch_transactions: batchProblems,
  disbursements: disbursementProblems,
}

export function problemsOf(type: string, body: object): string[] {
  if (type === 'virtual_accounts') {
    const isOwn = at(body, 'link') === `/virtual_accounts/${String(at(body, 'id'))}`
    return [...misfits(body, VIRTUAL_ACCOUNT), ...unless(isOwn, 'link is not its own path')]
  }
  // §2.3: every object is wrapped in a single top-level key, which is the name of its type.
  return [
    ...unless(Object.keys(body).join() === type, 'is not wrapped under its type'),
    ...(PROBLEMS[type]?.(Object(at(body, type))) ?? ['is of no type of §2.2']),
  ]
}

export function variantOf(type: string, body: object): string {
  const object: Fields = { ...Object(at(body, type)) }
  if (type === 'transactions') return kindOf(object)
  if (type === 'batch_transactions') return `${kindOf(object)} / ${String(object['state'])}`
  const { state = '' } = object
  return String(state)
}

export const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  items: Object.keys(ITEM_CODES),
  transactions: TRANSACTION_KINDS,
  batch_transactions: Object.entries(BATCH_STATES).flatMap(([kind, states]) =>
    states.map((state) => `${kind} / ${state}`),
  ),
  disbursements: Object.keys(PAYOUT_STATES),
}

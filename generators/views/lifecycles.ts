import type { PaymentEffects, PaymentNotification, PaymentRow } from '../../spec/payments.ts'

/** The content of `spec/lifecycles.yaml`. */
export interface Lifecycles {
  readonly objects: Readonly<Record<string, ObjectLifecycle>>
  readonly participants: Readonly<Record<string, string>>
  readonly payments: Readonly<Record<string, PaymentRow>>
}

interface Origin {
  readonly source?: string
  readonly reading?: string
}

export interface ObjectLifecycle {
  readonly states: Readonly<Record<string, Origin & { readonly code?: number; readonly with?: string }>>
  readonly initial?: string
  readonly transitions?: readonly Transition[]
  readonly kinds?: Readonly<Record<string, readonly Transition[]>>
}

export interface Transition extends Origin {
  readonly from: string | null
  readonly to: string
  readonly trigger: string
  readonly condition?: string
}

const KEYS = {
  payment: [
    'about',
    'source',
    'reading',
    'forms',
    'outcomes',
    'participants',
    'notifications',
    'accompanying',
    'consequence',
  ],
  participant: ['owner', 'given_by', 'pays'],
  effects: ['wallets', 'disbursement', 'item'],
  notification: [
    'object',
    'type',
    'type_method',
    'state',
    'by_outcome',
    'amount',
    'sets',
    'participant',
    'wallets',
    'disbursement',
    'item',
    'only',
  ],
} as const

/** Throws SyntaxError with the JSON pointer for a payment with an unknown name. */
export function checkPayments({ objects, participants, payments }: Lifecycles): void {
  for (const [role, object] of Object.entries(participants))
    refuseUnless(objects[object] !== undefined, `/participants/${role}`, `unknown object ${object}`)
  for (const [kind, payment] of Object.entries(payments))
    checkPayment(payment, `/payments/${kind}`, { objects, participants })
}

type Known = Pick<Lifecycles, 'objects' | 'participants'>

interface Scope extends Known {
  readonly payment: PaymentRow
}

function checkPayment(payment: PaymentRow, at: string, known: Known): void {
  const scope: Scope = { ...known, payment }
  refuseUnknownKeys(payment, KEYS.payment, at)
  for (const key of ['about', 'source', 'outcomes', 'participants', 'notifications', 'consequence'] as const)
    refuseUnless(payment[key] !== undefined, at, `it says no ${key}`)
  checkParticipants(at, scope)
  payment.notifications.forEach((together, step) =>
    together.forEach((notification, index) =>
      checkNotification(notification, `${at}/notifications/${step}/${index}`, scope),
    ),
  )
  for (const [outcome, more] of Object.entries(payment.accompanying ?? {})) {
    refuseUnless(payment.outcomes.includes(outcome), `${at}/accompanying/${outcome}`, 'it is not an outcome')
    more.forEach((notification, index) =>
      checkNotification(notification, `${at}/accompanying/${outcome}/${index}`, scope),
    )
  }
  checkConsequence(`${at}/consequence`, scope)
}

function checkParticipants(at: string, { participants, payment }: Scope): void {
  const earlier: string[] = []
  for (const [role, participant] of Object.entries(payment.participants)) {
    const pointer = `${at}/participants/${role}`
    const object = participants[role]
    refuseUnknownKeys(participant, KEYS.participant, pointer)
    refuseUnless(object !== undefined, pointer, 'unknown participant')
    const { owner, given_by } = participant
    const isField = given_by === undefined || ['item', 'user', 'account', 'wallet'].includes(given_by)
    refuseUnless(isField, `${pointer}/given_by`, `a request has no ${given_by}`)
    const isOwned = object === 'accounts' || object === 'virtual_accounts'
    refuseUnless(isOwned === (owner !== undefined), `${pointer}/owner`, 'an account has one, and no other')
    refuseUnless(owner === undefined || earlier.includes(owner), `${pointer}/owner`, `no ${owner} before it`)
    earlier.push(role)
  }
  for (const role of ['seller', 'wallet_account'])
    refuseUnless(earlier.includes(role), `${at}/participants`, `every payment has a ${role}`)
  refuseUnless(
    earlier.includes('item') === earlier.includes('buyer'),
    `${at}/participants`,
    'an item has a buyer',
  )
}

function checkNotification(
  notification: PaymentNotification & { readonly by_outcome?: Readonly<Record<string, PaymentEffects>> },
  at: string,
  scope: Scope,
): void {
  const { object, state, participant, amount = 'total', sets = {}, by_outcome = {} } = notification
  const { objects, payment } = scope
  const takesPart = (role: string) => Object.hasOwn(payment.participants, role)
  refuseUnknownKeys(notification, KEYS.notification, at)
  refuseUnless(objects[object] !== undefined, `${at}/object`, `unknown object ${object}`)
  const states = state === 'outcome' ? payment.outcomes : [state]
  for (const each of states)
    refuseUnless(
      Object.hasOwn(objects[object]?.states ?? {}, each),
      `${at}/state`,
      `${object} has no state ${each}`,
    )
  refuseUnless(participant === undefined || takesPart(participant), `${at}/participant`, 'it takes no part')
  refuseUnless(['total', 'net'].includes(amount), `${at}/amount`, 'it is total or net')
  refuseUnless(amount === 'total' || takesPart('item'), `${at}/amount`, 'fees belong to items')
  for (const [path, said] of Object.entries(sets)) {
    const [role = '', field] = said.split('.')
    const isKnown = field === undefined || (field === 'id' && (role === 'self' || takesPart(role)))
    refuseUnless(isKnown, `${at}/sets/${path}`, `there is no ${said}`)
  }
  checkEffects(notification, at, scope)
  for (const [outcome, effects] of Object.entries(by_outcome)) {
    const pointer = `${at}/by_outcome/${outcome}`
    refuseUnless(
      state === 'outcome' && payment.outcomes.includes(outcome),
      pointer,
      'it is not an outcome here',
    )
    refuseUnknownKeys(effects, KEYS.effects, pointer)
    checkEffects(effects, pointer, scope)
  }
}

function checkEffects(
  { wallets = {}, disbursement, item }: PaymentEffects,
  at: string,
  { objects, participants, payment }: Scope,
): void {
  for (const [role, way] of Object.entries(wallets)) {
    const isAccount = participants[role] === 'accounts' && Object.hasOwn(payment.participants, role)
    refuseUnless(isAccount, `${at}/wallets/${role}`, 'this account does not take part')
    refuseUnless(way === 'in' || way === 'out', `${at}/wallets/${role}`, 'it is in or out')
  }
  const isDisbursementState =
    disbursement === undefined || Object.hasOwn(objects['disbursements']?.states ?? {}, disbursement)
  refuseUnless(isDisbursementState, `${at}/disbursement`, `disbursements have no state ${disbursement}`)
  if (!item) return
  refuseUnless(Object.hasOwn(payment.participants, 'item'), `${at}/item`, 'no item takes part')
  const { state } = item
  const isListed = state === undefined || Object.hasOwn(objects['items']?.states ?? {}, state)
  refuseUnless(isListed, `${at}/item/state`, `items have no state ${state}`)
}

/** The consequence is the usual outcome of a notified object. */
function checkConsequence(at: string, { payment }: Scope): void {
  const { consequence, notifications, outcomes } = payment
  const [usual] = outcomes
  const isNotified = notifications
    .flat()
    .some(
      ({ object, type, type_method, state }) =>
        object === consequence.object &&
        type === consequence.type &&
        type_method === consequence.type_method &&
        (state === 'outcome' ? usual : state) === consequence.state,
    )
  refuseUnless(isNotified, at, 'the payment does not notify it when all goes well')
}

function refuseUnknownKeys(part: object, known: readonly string[], at: string): void {
  for (const key of Object.keys(part)) refuseUnless(known.includes(key), `${at}/${key}`, 'unknown key')
}

function refuseUnless(isRight: boolean, pointer: string, problem: string): void {
  if (!isRight) throw new SyntaxError(`Cannot generate lifecycles: "#${pointer}": ${problem}`)
}

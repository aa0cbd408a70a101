import { isPaymentKind, type PaymentKind } from '../spec/payments.ts'

/**
 * A set of payments, and how the receiver is notified of them: plain data, so that it can be made smaller, kept, printed and
 * played again.
 */
export interface ExploredCase {
  readonly people: readonly PersonPlan[]
  readonly payments: readonly PaymentPlan[]
  /** In the order in which they are sent. */
  readonly deliveries: readonly DeliveryPlan[]
  readonly users?: readonly UserPlan[]
}

/** A user that the receiver is notified of, beside the payments. */
export interface UserPlan {
  /** `{n}` stands for a number that is new each time. */
  readonly id: string
  /** Before the delivery at this place. */
  readonly before: number
}

/** A user of the service. */
export interface PersonPlan {
  /** `{n}` stands for a number that is new each time. Defaults to a UUID. */
  readonly id?: string
  readonly name?: string
}

export interface PaymentPlan {
  readonly kind: PaymentKind
  readonly outcome: string
  /** How an NPP pay-in comes. */
  readonly via?: string
  /** Minor units. Defaults to the service's example. */
  readonly amount?: number
  readonly currency?: string
  /** Minor units that the buyer of an item pays on top of its price. */
  readonly fee?: number
  /** The person who pays or is paid, by place. Defaults to a new one. */
  readonly person?: number
  /** Pays the item of this earlier payment once more. */
  readonly item?: number
  /** The object that is acted on has the id of that of this earlier payment, which is of another type. */
  readonly sameIdAs?: number
  /** True if the letters of that id are capitals. */
  readonly capitals?: true
  /** The times of the object are so many milliseconds later than they should be. */
  readonly laterMs?: number
  /** Each change of the object is dated so many milliseconds further after the one before. */
  readonly apartMs?: number
}

/** A notification of a payment, and how it is sent. */
export interface DeliveryPlan {
  /** The payment, by place. */
  readonly of: number
  /** The notification, by its place among those that the receiver has URLs for. */
  readonly part: number
  readonly generation?: 'callbacks'
  /** True if it is sent together with the delivery before. */
  readonly together?: true
  readonly wire?: Wire
  /** How the service answers when the receiver asks about the object. */
  readonly callBack?: CallBack
  /** True if the receiver's process is killed after its answer, and started again. */
  readonly restart?: true
}

/** How the bytes of a delivery are sent. Defaults to one write on a connection that is kept alive. */
export const WIRES = [
  'split-in-character',
  'byte-by-byte',
  'expect-continue',
  'header-case',
  'fresh-connection',
] as const
export type Wire = (typeof WIRES)[number]

export const CALL_BACKS = {
  'unavailable-once': 'answers 503 once',
  'unavailable-for-a-while': 'answers 503 for a while',
  'broken-for-a-while': 'answers 500 for a while',
  slow: 'answers after 400 ms',
  stale: 'answers after 400 ms with the state of the time of the call',
  reset: 'closes the connection without an answer',
  cut: 'closes the connection in the middle of the answer',
  'expired-token': 'answers that the token has expired',
  'not-found': 'answers 404 once',
  'not-found-for-a-while': 'answers 404 for a while',
  'rate-limit': 'answers 429 once',
  'no-answer': 'never answers the first call',
  'no-end': 'never ends its first answer',
} as const
export type CallBack = keyof typeof CALL_BACKS

/** What a receiver may take for the last word, until it is notified of the object again. Reading: unknown-object */
export const isMiss = (callBack: CallBack | 'none' | undefined) =>
  callBack === 'not-found' || callBack === 'not-found-for-a-while'

/** Waiting for a receiver's time-out takes many seconds. */
export const LONG_CALL_BACKS: readonly CallBack[] = ['no-answer', 'no-end']

/** True if the receiver's process is killed in it. */
export const isRestarting = ({ deliveries }: ExploredCase) => deliveries.some(({ restart }) => restart)

/** Undefined for a value that is not a case. */
export function parseCase(value: unknown): ExploredCase | undefined {
  const { people, payments, deliveries, users = [] }: Readonly<Record<string, unknown>> = Object(value)
  const isCase =
    Array.isArray(people) &&
    Array.isArray(payments) &&
    Array.isArray(deliveries) &&
    Array.isArray(users) &&
    users.every(({ id, before }) => typeof id === 'string' && Number.isInteger(before)) &&
    payments.every(({ kind, outcome }) => isPaymentKind(String(kind)) && typeof outcome === 'string') &&
    deliveries.every(({ of, part }) => Number.isInteger(part) && payments[of] !== undefined)
  return isCase ? { people, payments, deliveries, ...(users.length > 0 && { users }) } : undefined
}

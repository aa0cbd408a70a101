import { isPaymentKind, type PaymentKind } from '../spec/payments.ts'

/** Payments and their deliveries, as data that can be reduced, stored, printed and replayed. */
export interface ExploredCase {
  readonly people: readonly PersonPlan[]
  readonly payments: readonly PaymentPlan[]
  /** The deliveries in the order in which they are sent. */
  readonly deliveries: readonly DeliveryPlan[]
  readonly users?: readonly UserPlan[]
}

/** A user about whom the receiver is notified. */
export interface UserPlan {
  /** The id of the user. The exploration replaces `{n}` with a new number in each case. */
  readonly id: string
  /** The index of a delivery. The case notifies the receiver of the user before this delivery. */
  readonly before: number
}

export interface PersonPlan {
  /** The id of the person. The exploration replaces `{n}` with a new number in each case. Defaults to a UUID. */
  readonly id?: string
  readonly name?: string
}

export interface PaymentPlan {
  readonly kind: PaymentKind
  readonly outcome: string
  /** The channel of an NPP (instant bank transfer) pay-in. */
  readonly via?: string
  /** The amount in minor units. Defaults to the amount of the service's example. */
  readonly amount?: number
  readonly currency?: string
  /** The fee in minor units, which is added to the price of an item. */
  readonly fee?: number
  /** The index of the person who pays or is paid. Defaults to a new person. */
  readonly person?: number
  /** The index of an earlier payment. This payment pays the item of the earlier payment again. */
  readonly item?: number
  /** The index of an earlier payment. The objects of both payments get the same id but have different types. */
  readonly sameIdAs?: number
  /** True if the id in notifications is in capital letters. */
  readonly capitals?: true
  /** The offset that is added to the object's times, in milliseconds. */
  readonly laterMs?: number
  /** The extra time between two changes of the object, in milliseconds. */
  readonly apartMs?: number
}

export interface DeliveryPlan {
  /** The index of the payment in the case. */
  readonly of: number
  /** The index of the notification among the payment's notifications. Notifications without a receiver URL are not counted. */
  readonly part: number
  readonly generation?: 'callbacks'
  /** True if the delivery is sent at the same time as the previous delivery. */
  readonly together?: true
  readonly wire?: Wire
  /** The way in which the service fails when the receiver calls back about the object. */
  readonly callBack?: CallBack
  /** True if the process is killed and restarted after the receiver has answered. */
  readonly restart?: true
}

/** The unusual ways to send a delivery. By default, a delivery is written in one piece on a persistent connection. */
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
  stale: 'answers after 400 ms with the state at the time of the call',
  reset: 'closes the connection without an answer',
  cut: 'closes the connection in the middle of the answer',
  'expired-token': 'answers that the token has expired',
  'not-found': 'answers 404 once',
  'not-found-for-a-while': 'answers 404 for a while',
  'rate-limit': 'answers 429 once',
  'no-answer': 'never answers the first call',
  'no-end': 'never completes its first answer',
} as const
export type CallBack = keyof typeof CALL_BACKS

/**
 * Returns true if the service answers 404. After a 404 from the service, a receiver may wait for the next notification about the
 * object. Reading: unknown-object
 */
export const isMiss = (callBack: CallBack | 'none' | undefined) =>
  callBack === 'not-found' || callBack === 'not-found-for-a-while'

export const LONG_CALL_BACKS: readonly CallBack[] = ['no-answer', 'no-end']

export const isRestarting = ({ deliveries }: ExploredCase) => deliveries.some(({ restart }) => restart)

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

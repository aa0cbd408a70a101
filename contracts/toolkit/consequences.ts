import type { Message } from './check-context.ts'
import { readObject } from './messages.ts'
import type { Consequences, Profile } from './options.ts'
import {
  paymentRows,
  paymentKinds,
  paymentOutcomes,
  stepsWithItem,
  type PaymentKind,
  type PaymentNotification,
} from '../../spec/payments.ts'
import type { NotifiedType } from '../../spec/notifications.ts'

/** The object type and the state that a platform acts on. */
export type Consequence = Pick<PaymentNotification, 'object' | 'type' | 'type_method' | 'state'>

export function consequenceOf(kind: PaymentKind, consequences: Consequences): Consequence {
  const chosen = consequences[kind]
  return chosen ? { ...chosen, object: chosen.object_type } : paymentRows[kind].consequence
}

/** Returns true if the notification concerns the object, regardless of state. Undefined fields match every value. */
export function isAboutConsequence(
  notification: Omit<Consequence, 'state'>,
  { object, type = notification.type, type_method = notification.type_method }: Consequence,
): boolean {
  return (
    notification.object === object && notification.type === type && notification.type_method === type_method
  )
}

export function unusedKinds(consequences: Consequences): readonly PaymentKind[] {
  return paymentKinds.filter((kind) => consequences[kind] === null)
}

type ActedOn = Pick<Profile, 'unused' | 'consequences'>

/** Returns true if a platform acts on this notification in any payment kind that it uses. */
export function isActedOn(profile: ActedOn, message: Pick<Message, 'type' | 'body'>): boolean {
  return isConsequence(profile, message.type, readObject(message))
}

/** Returns true if a platform acts on an object with these fields in any payment kind that it uses. */
export function isConsequence(
  { unused, consequences }: ActedOn,
  object: NotifiedType,
  { type, type_method, state }: Readonly<Record<string, unknown>>,
): boolean {
  const fits = (wanted: string | undefined, given: unknown) => wanted === undefined || wanted === given
  return paymentKinds
    .filter((kind) => !unused.includes(kind))
    .map((kind) => consequenceOf(kind, consequences))
    .some(
      (wanted) =>
        wanted.object === object &&
        wanted.state === state &&
        fits(wanted.type, type) &&
        fits(wanted.type_method, type_method),
    )
}

export function describeUnreachable(kind: PaymentKind, consequence: Consequence): string | undefined {
  const { object, type, type_method, state } = consequence
  const states = paymentOutcomes(kind)
    .flatMap((outcome) => stepsWithItem(kind, outcome).flat())
    .filter((notification) => isAboutConsequence(notification, consequence))
    .map((notification) => notification.state)
  if (states.includes(state)) return undefined
  const wanted = [object, type, type_method].filter((part) => part !== undefined).join(' ')
  const seen = [...new Set(states)].join(', ')
  return seen === ''
    ? `the payment sends no notification about ${wanted}`
    : `the states of the ${wanted} are ${seen}, but never ${state}`
}

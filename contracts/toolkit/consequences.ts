import type { Message } from './check-context.ts'
import { readObject } from './messages.ts'
import type { Consequences, Profile } from './options.ts'
import {
  paymentConsequence,
  paymentKinds,
  paymentOutcomes,
  stepsWithItem,
  type PaymentKind,
  type PaymentNotification,
} from '../../spec/payments.ts'

/** What a platform acts on in a payment: an object of it, once that has come to a state. */
export type Consequence = Pick<PaymentNotification, 'object' | 'type' | 'type_method' | 'state'>

/** As it is configured, or else the usual one. */
export function consequenceOf(kind: PaymentKind, consequences: Consequences): Consequence {
  const chosen = consequences[kind]
  return chosen ? { ...chosen, object: chosen.object_type } : paymentConsequence(kind)
}

/** Whether a notification is about the object that is acted on, in whatever state. What a consequence leaves out fits any. */
export function isAboutConsequence(
  notification: Omit<Consequence, 'state'>,
  { object, type = notification.type, type_method = notification.type_method }: Consequence,
): boolean {
  return (
    notification.object === object && notification.type === type && notification.type_method === type_method
  )
}

/** Whether a platform acts on what a notification says of its object: in a payment of any kind that it has a use for. */
export function isActedOn(
  { unused, consequences }: Pick<Profile, 'unused' | 'consequences'>,
  message: Pick<Message, 'type' | 'body'>,
): boolean {
  const { type, type_method, state } = readObject(message)
  const fits = (wanted: string | undefined, given: unknown) => wanted === undefined || wanted === given
  return paymentKinds
    .filter((kind) => !unused.includes(kind))
    .map((kind) => consequenceOf(kind, consequences))
    .some(
      (wanted) =>
        wanted.object === message.type &&
        wanted.state === state &&
        fits(wanted.type, type) &&
        fits(wanted.type_method, type_method),
    )
}

/** Whether a payment that comes to this outcome brings its object to the state that is acted on. */
function reachesConsequence(kind: PaymentKind, outcome: string, consequence: Consequence): boolean {
  return stepsWithItem(kind, outcome)
    .flat()
    .some(
      (notification) =>
        notification.state === consequence.state && isAboutConsequence(notification, consequence),
    )
}

/** Why no payment of the kind can bring about its consequence; undefined if one can. */
export function describeUnreachable(kind: PaymentKind, consequence: Consequence): string | undefined {
  if (paymentOutcomes(kind).some((outcome) => reachesConsequence(kind, outcome, consequence)))
    return undefined
  const { object, type, type_method, state } = consequence
  const wanted = [object, type, type_method].filter((part) => part !== undefined).join(' ')
  const states = paymentOutcomes(kind)
    .flatMap((outcome) => stepsWithItem(kind, outcome).flat())
    .filter((notification) => isAboutConsequence(notification, consequence))
    .map((notification) => notification.state)
  const seen = [...new Set(states)].join(', ')
  return seen === '' ? `it notifies no ${wanted}` : `its ${wanted} come to ${seen}, never to ${state}`
}

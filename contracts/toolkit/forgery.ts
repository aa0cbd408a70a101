import type { MakeSignature, Message } from './check-context.ts'
import { editMessage, type JsonObject } from './messages.ts'
import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import { itemStatus } from '../../spec/lifecycles.ts'
import { signatureHeader } from '../../spec/signature.ts'

/** Returns the message with another state. The service still shows the true state. Source: §3 */
export function forgeState(message: Message, state: string): Message {
  return editMessage(message, (object) => ({ ...object, ...stateFields(message, object, state) }))
}

const BATCH_STATES: Readonly<Record<string, { readonly code: number }>> =
  LIFECYCLES.objects.batch_transactions.states

function stateFields({ type }: Message, { amount }: JsonObject, state: string): JsonObject {
  if (type === 'disbursements') return { state, npp_payout_state: state }
  if (type === 'batch_transactions') return { state, status: BATCH_STATES[state]?.code }
  if (type !== 'items') return { state }
  const paid = { remaining_amount: 0, total_outstanding: 0, released_amount: amount }
  return { state, status: itemStatus(state), ...paid }
}

/** Returns the message with another amount. The service still shows the true amount. */
export function forgeAmount(message: Message, amount: number): Message {
  return editMessage(message, (object) => withAmount(object, amount))
}

export function forgeCurrency(message: Message, currency: string): Message {
  return editMessage(message, (object) => ({ ...object, currency }))
}

/** Replaces the amount in every field that repeats it. */
export function withAmount(object: JsonObject, amount: number): JsonObject {
  const before = object['amount']
  const entries = Object.entries(object).map(
    ([name, value]) => [name, /amount/.test(name) && value === before ? amount : value] as const,
  )
  return { ...Object.fromEntries(entries), amount }
}

/** Signs for another moment. */
export function signedAt(secondsFromNow: number): MakeSignature {
  return ({ secret, now, body }) => signatureHeader([secret], now + secondsFromNow, body)
}

/** Signs requests that the service would not sign. */
export const signedNow: MakeSignature = signedAt(0)

/** Signs with these secrets in their order. */
export function signedWith(secretsOf: (own: string) => readonly string[]): MakeSignature {
  return ({ secret, now, body }) => signatureHeader(secretsOf(secret), now, body)
}

import type { MakeSignature, Message } from './check-context.ts'
import { editMessage, type JsonObject } from './messages.ts'
import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import { itemStatus } from '../../spec/lifecycles.ts'
import { signatureHeader } from '../../spec/signature.ts'

/** The message as it would be if its object had come to this state; what the service shows stays as it is. Source: §3 */
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

/** The message with its object's amount changed; what the service shows stays as it is. */
export function forgeAmount(message: Message, amount: number): Message {
  return editMessage(message, (object) => withAmount(object, amount))
}

/** The same for its currency. */
export function forgeCurrency(message: Message, currency: string): Message {
  return editMessage(message, (object) => ({ ...object, currency }))
}

/** An object of this amount: every field of it that has the same amount has the new one, too. */
export function withAmount(object: JsonObject, amount: number): JsonObject {
  const before = object['amount']
  const entries = Object.entries(object).map(
    ([name, value]) => [name, /amount/.test(name) && value === before ? amount : value] as const,
  )
  return { ...Object.fromEntries(entries), amount }
}

/** Signs as the service does, at another moment. */
export function signedAt(secondsFromNow: number): MakeSignature {
  return ({ secret, now, body }) => signatureHeader([secret], now + secondsFromNow, body)
}

/** Signs as the service does: for what it does not sign. */
export const signedNow: MakeSignature = signedAt(0)

/** Signs with these secrets, in their order. */
export function signedWith(secretsOf: (own: string) => readonly string[]): MakeSignature {
  return ({ secret, now, body }) => signatureHeader(secretsOf(secret), now, body)
}

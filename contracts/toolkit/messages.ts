import type { CheckContext, Message, MakeSignature } from './check-context.ts'
import type { Profile } from './options.ts'
import { testMessage } from '../../spec/notifications.ts'
import { LIFECYCLES } from '../../spec/generated/lifecycles.ts'
import { itemStatus } from '../../spec/lifecycles.ts'
import { signatureHeader } from '../../spec/signature.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is a JSON object. Returns an empty object for any other value. */
export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Returns the object in a notification body: the field named after the type, or else the complete body. */
export function objectInBody(body: unknown, type: string): JsonObject {
  const whole = toJsonObject(body)
  const wrapped = whole[type]
  return isJsonObject(wrapped) ? wrapped : whole
}

export function readObject({ type, body }: Pick<Message, 'type' | 'body'>): JsonObject {
  return objectInBody(JSON.parse(body), type)
}

/** Changes the object in a message. The service still returns the original object. */
export function editMessage(message: Message, change: (object: JsonObject) => JsonObject): Message {
  const whole = toJsonObject(JSON.parse(message.body))
  const object = change(readObject(message))
  const body = isJsonObject(whole[message.type]) ? { ...whole, [message.type]: object } : object
  return { ...message, body: JSON.stringify(body) }
}

/** Changes the object in the message and, if the message has a wrapper, in the service. The result may violate the schema. */
export async function craftMessage(
  { service }: Pick<CheckContext, 'service'>,
  message: Message,
  change: (object: JsonObject) => JsonObject,
): Promise<Message> {
  const edited = editMessage(message, change)
  const body = toJsonObject(JSON.parse(edited.body))
  if (!isJsonObject(body[message.type])) return edited
  await service.disturb(message, { kind: 'modified-show', body })
  return edited
}

export function testBody({ readings }: Pick<Profile, 'readings'>, text = readings['test-text']): string {
  return JSON.stringify(testMessage(text))
}

export function named(message: Message, name: string): Message {
  return { ...message, label: `${message.label}, ${name}` }
}

/** Returns true if a path segment looks like a token of at least 128 random bits. */
export function isToken(segment: string): boolean {
  // A segment that has neither digits nor capital letters is a name, not a token.
  return (
    /^[0-9a-f]{32,}$/i.test(segment.replaceAll('-', '')) ||
    (/^[\w-]{22,}$/.test(segment) && /[0-9A-Z]/.test(segment))
  )
}

export function replaceLinks(message: Message, link: string): Message {
  const isFlat = !isJsonObject(toJsonObject(JSON.parse(message.body))[message.type])
  return editMessage(message, (object) => {
    if (isFlat) return { ...object, link }
    const names = ['self', ...Object.keys(toJsonObject(object['links']))]
    return { ...object, links: Object.fromEntries(names.map((name) => [name, link])) }
  })
}

export function replaceId(message: Message, id: string): Message {
  const [before, after] = [message.id, id].map((each) => JSON.stringify(each).slice(1, -1))
  const body = message.body.replaceAll(before ?? '', () => after ?? '')
  return { ...editMessage({ ...message, body }, (object) => ({ ...object, id })), id }
}

/** Moves all times of the object into the past by `ms` milliseconds. */
export function shiftTimes(message: Message, ms: number): Message {
  const body = message.body.replaceAll(
    /"(created_at|updated_at|updatedAt)":"([^"]+)"/g,
    (_, field: string, timestamp: string) => `"${field}":"${shiftTimestamp(timestamp, ms)}"`,
  )
  return { ...message, body }
}

/** Keeps the timestamp's UTC offset. */
function shiftTimestamp(timestamp: string, ms: number): string {
  const offset = /[+-]\d{2}:\d{2}$/.exec(timestamp)?.[0]
  if (offset === undefined) return new Date(Date.parse(timestamp) - ms).toISOString()
  const local = new Date(Date.parse(timestamp.replace(offset, 'Z')) - ms)
  return local.toISOString().replace('Z', offset)
}

/** Returns the message with another state. The service still returns the original state. Source: §3 */
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

/** Replaces the currency of an object, and the amount in every field that contains the amount. */
export function withMoney(object: JsonObject, amount: number, currency: string): JsonObject {
  const before = object['amount']
  const entries = Object.entries(object).map(
    ([name, value]) => [name, /amount/.test(name) && value === before ? amount : value] as const,
  )
  return { ...Object.fromEntries(entries), amount, currency }
}

/** Returns a function that signs with a time `secondsFromNow` seconds in the future. A negative number means the past. */
export function signedAt(secondsFromNow: number): MakeSignature {
  return ({ secret, now, body }) => signatureHeader([secret], now + secondsFromNow, body)
}

/** The signature with the current time. Also signs requests that the service would not sign. */
export const signedNow: MakeSignature = signedAt(0)

/** Returns a function that signs with several secrets, in the given order. */
export function signedWith(secretsOf: (own: string) => readonly string[]): MakeSignature {
  return ({ secret, now, body }) => signatureHeader(secretsOf(secret), now, body)
}

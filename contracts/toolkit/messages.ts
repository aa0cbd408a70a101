import type { CheckContext, Message } from './check-context.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value if it is an object of JSON; otherwise an empty one. */
export function toJsonObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** The object that a body is about: under the key of its type, or the whole body where there is none. */
export function objectInBody(body: unknown, type: string): JsonObject {
  const whole = toJsonObject(body)
  const wrapped = whole[type]
  return isJsonObject(wrapped) ? wrapped : whole
}

export function readObject({ type, body }: Pick<Message, 'type' | 'body'>): JsonObject {
  return objectInBody(JSON.parse(body), type)
}

/** Undefined if the object has no number in this field. */
export function readNumber(message: Message, field: string): number | undefined {
  const value = readObject(message)[field]
  return typeof value === 'number' ? value : undefined
}

/** The same message with its object changed; what the service shows stays as it is. */
export function editMessage(message: Message, change: (object: JsonObject) => JsonObject): Message {
  const whole = toJsonObject(JSON.parse(message.body))
  const object = change(readObject(message))
  const body = isJsonObject(whole[message.type]) ? { ...whole, [message.type]: object } : object
  return { ...message, body: JSON.stringify(body) }
}

/**
 * The same message with its object changed beyond what the spec allows, and the service showing the object so. What the
 * service shows of an object that is notified without a wrapper is another body, and stays as it is.
 */
export async function craftMessage(
  { service }: Pick<CheckContext, 'service'>,
  message: Message,
  change: (object: JsonObject) => JsonObject,
): Promise<Message> {
  const edited = editMessage(message, change)
  const body = toJsonObject(JSON.parse(edited.body))
  if (!isJsonObject(body[message.type])) return edited
  const match = { object_type: message.type, object_id: message.id }
  await service.disturb({ kind: 'modified-show', match, body })
  return edited
}

/** The message with every link in it replaced. */
export function replaceLinks(message: Message, link: string): Message {
  const isFlat = !isJsonObject(toJsonObject(JSON.parse(message.body))[message.type])
  return editMessage(message, (object) => {
    if (isFlat) return { ...object, link }
    const names = ['self', ...Object.keys(toJsonObject(object['links']))]
    return { ...object, links: Object.fromEntries(names.map((name) => [name, link])) }
  })
}

/** The message about another id, wherever the id stands in it. */
export function replaceId(message: Message, id: string): Message {
  const [before, after] = [message.id, id].map((each) => JSON.stringify(each).slice(1, -1))
  const body = message.body.replaceAll(before ?? '', () => after ?? '')
  return { ...editMessage({ ...message, body }, (object) => ({ ...object, id })), id }
}

/** The message as it would be if its object had been made and changed so much earlier. */
export function shiftTimes(message: Message, ms: number): Message {
  const body = message.body.replaceAll(
    /"(created_at|updated_at|updatedAt)":"([^"]+)"/g,
    (_, field: string, timestamp: string) => `"${field}":"${shiftTimestamp(timestamp, ms)}"`,
  )
  return { ...message, body }
}

/** Keeps a numeric offset, if it has one. */
function shiftTimestamp(timestamp: string, ms: number): string {
  const offset = /[+-]\d{2}:\d{2}$/.exec(timestamp)?.[0]
  if (offset === undefined) return new Date(Date.parse(timestamp) - ms).toISOString()
  const local = new Date(Date.parse(timestamp.replace(offset, 'Z')) - ms)
  return local.toISOString().replace('Z', offset)
}

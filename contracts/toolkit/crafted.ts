import type { CheckContext, Notice } from './check-context.ts'

/** An object of JSON. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object of JSON; an empty one if it is something else. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object that a notice is about, as it words it; a flat one whole. */
export function objectIn({ type, body }: Pick<Notice, 'type' | 'body'>): Fields {
  const whole: unknown = JSON.parse(body)
  const wrapped = fieldsOf(whole)[type]
  return isFields(wrapped) ? wrapped : fieldsOf(whole)
}

/** The same notice with its object changed; what the service shows stays as it is. */
function reworded(notice: Notice, change: (object: Fields) => Fields): Notice {
  const whole = fieldsOf(JSON.parse(notice.body))
  const body = isFields(whole[notice.type])
    ? { ...whole, [notice.type]: change(objectIn(notice)) }
    : change(whole)
  return { ...notice, body: JSON.stringify(body) }
}

/**
 * The same notice with its object changed beyond what the spec allows, and the service showing it so to who asks back. The
 * Show of a flat one is another body, and stays as it is.
 */
export async function crafted(
  { world }: Pick<CheckContext, 'world'>,
  notice: Notice,
  change: (object: Fields) => Fields,
): Promise<Notice> {
  const told = reworded(notice, change)
  const body = fieldsOf(JSON.parse(told.body))
  if (!isFields(body[notice.type])) return told
  const match = { object_type: notice.type, object_id: notice.id }
  await world.disturb({ kind: 'crafted-show', match, body })
  return told
}

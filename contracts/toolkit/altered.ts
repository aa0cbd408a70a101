import type { Notice } from './check-context.ts'

type Fields = Readonly<Record<string, unknown>>

/** The notice with other fields in its object. */
export function withFields(notice: Notice, fields: Fields): Notice {
  const whole: unknown = JSON.parse(notice.body)
  if (!isFields(whole)) return notice
  const object = whole[notice.type]
  const altered = isFields(object)
    ? { ...whole, [notice.type]: { ...object, ...fields } }
    : { ...whole, ...fields }
  return { ...notice, body: JSON.stringify(altered) }
}

/** The notice with every link in it replaced. */
export function withLinks(notice: Notice, link: string): Notice {
  const whole: unknown = JSON.parse(notice.body)
  if (!isFields(whole)) return notice
  const object = whole[notice.type]
  if (!isFields(object)) return withFields(notice, { link })
  const links = isFields(object['links']) ? Object.keys(object['links']) : []
  return withFields(notice, {
    links: Object.fromEntries(['self', ...links].map((name) => [name, link])),
  })
}

/** The notice under another id, wherever its own one stands. */
export function withId(notice: Notice, id: string): Notice {
  const [own, other] = [notice.id, id].map((each) => JSON.stringify(each).slice(1, -1))
  const body = notice.body.replaceAll(own ?? '', () => other ?? '')
  return { ...withFields({ ...notice, body }, { id }), id }
}

/** The number that an object has in this field; undefined if it has none. */
export function numberIn(notice: Notice, field: string): number | undefined {
  const whole: unknown = JSON.parse(notice.body)
  const object = isFields(whole) ? whole[notice.type] : undefined
  const value = isFields(object) ? object[field] : undefined
  return typeof value === 'number' ? value : undefined
}

/** The notice as it would be had it all happened so much earlier. */
export function earlierBy(notice: Notice, ms: number): Notice {
  const body = notice.body.replaceAll(
    /"(created_at|updated_at|updatedAt)":"([^"]+)"/g,
    (_, field: string, timestamp: string) => `"${field}":"${shifted(timestamp, ms)}"`,
  )
  return { ...notice, body }
}

/** Keeps a numeric offset, if it has one. */
function shifted(timestamp: string, ms: number): string {
  const offset = /[+-]\d{2}:\d{2}$/.exec(timestamp)?.[0]
  if (offset === undefined) return new Date(Date.parse(timestamp) - ms).toISOString()
  const local = new Date(Date.parse(timestamp.replace(offset, 'Z')) - ms)
  return local.toISOString().replace('Z', offset)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

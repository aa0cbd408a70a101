import { objectIds, objectState } from '../../../spec/models.ts'
import type { NotifiedType } from '../../../spec/notifications.ts'
import { FINAL, isDue, readObject, show, subjectOf, toFields, type Fields } from './careful.ts'
import type { Desk, Incoming, Receive, Reply } from './scripted-receiver.ts'

export interface News {
  readonly request: Incoming
  readonly type: NotifiedType
  readonly id: string
  readonly claimed: Fields
  readonly desk: Desk
}

/** Returns a receiver that ignores the URL of a notification. */
export function receiverOf(handle: (news: News) => Reply | Promise<Reply>): Receive {
  return async (request, desk) => {
    const body = readObject(request.body)
    if (!body) return { status: 400 }
    if (typeof body['message'] === 'string') return { status: 200 }
    const subject = subjectOf(body)
    if (!subject) return { status: 400 }
    const { type, id } = subject
    return handle({ request, type, id, claimed: toFields(body[type]) ?? body, desk })
  }
}

/** Fetches the object from the service. Returns undefined if the response is not successful. */
export async function shown(
  { type, id, desk }: News,
  path = `/${type}/${encodeURIComponent(id)}`,
): Promise<Fields | undefined> {
  return (await show(desk, type, path)).object
}

/** The optional defects of a receiver that records effects. */
export interface Habits {
  readonly isDue?: (type: NotifiedType, object: Fields) => boolean
  readonly again?: boolean
  readonly backwards?: boolean
}

export function book(news: News, object: Fields, habits: Habits = {}): Reply {
  const { type, id, desk } = news
  const ids = [...new Set([id, ...objectIds(type, object as never)])]
  const before = ids.map((each) => desk.ledger.get(`${type} ${each}`)).find((found) => found)
  const acts = (habits.isDue ?? isDue)(type, object)
  const count = before?.effects ?? 0
  const effects = acts && (habits.again === true || count === 0) ? count + 1 : count
  const isKept = !habits.backwards && type !== 'items' && FINAL.has(before?.state ?? '')
  const state = isKept ? (before?.state ?? null) : objectState(type, object as never)
  const { amount, currency, user_id, account_id } = object
  const money = effects > count ? { amount, currency, user_id, account_id } : before
  for (const each of ids) desk.ledger.set(`${type} ${each}`, { ...(money as object), effects, state })
  return { status: 200 }
}

/** Returns a receiver that acts on a notification without fetching the object from the service. */
export const trusting = (habits: Habits = {}): Receive =>
  receiverOf((news) => book(news, news.claimed, habits))

/** Returns a receiver that fetches the object from the service and acts on the response. */
export const asking = (habits: Habits = {}): Receive =>
  receiverOf(async (news) => {
    const object = await shown(news)
    return object ? book(news, object, habits) : { status: 503 }
  })

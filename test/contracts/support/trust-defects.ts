import { careful } from './careful.ts'
import { book, receiverOf, shown, type News } from './careless.ts'
import type { Receive } from './scripted-receiver.ts'

export const statusOf = async ({ type, id, desk }: News) =>
  (await desk.call(`/${type}/${encodeURIComponent(id)}`)).status

/** A receiver that shortens an ID to 255 characters before it calls the service. */
export const cutting = receiverOf(async (news) => {
  if (news.id === '..') return { status: 400 }
  const object = await shown(news, `/${news.type}/${encodeURIComponent(news.id.slice(0, 255))}`)
  return object ? book(news, object) : { status: 200 }
})

const instead = (wanted: (status: number) => boolean, status: number) =>
  receiverOf(async (news) => {
    if (wanted(await statusOf(news))) return { status }
    const object = await shown(news)
    return object ? book(news, object) : { status: 503 }
  })

const talkative =
  (body: string): Receive =>
  async (request, desk) => {
    const reply = await careful(request, desk)
    return 'status' in reply && reply.status >= 400 ? { ...reply, body } : reply
  }

/** Receiver defects that the kill matrix does not contain, with patterns for the expected failure texts. */
export const TRUST_DEFECTS: readonly (readonly [
  id: string,
  make: () => Receive,
  expected: RegExp,
  actual: RegExp,
])[] = [
  ['trust/hostile-ids', () => cutting, /no call except with the complete id/, /a call to \/users\/qqq/],
  [
    'trust/failing-show',
    () => instead((status) => status === 0, 200),
    /one effect for .* when the service (hangs|resets)/,
    /no effect/,
  ],
  [
    'trust/forwarded-source',
    () => (request, desk) =>
      careful({ ...request, from: request.headers['x-real-ip'] ?? request.from }, desk),
    /a rejection, such as 403/,
    /from 198\.51\.100\.23 with x-real-ip: 54\.183\.18\.207 was answered 200/,
  ],
  [
    'trust/no-leaks-in-errors',
    () => talkative('SQLITE_CONSTRAINT: near "x"'),
    /without internal details/,
    /with SQL/,
  ],
  [
    'trust/no-leaks-in-errors',
    () => talkative('Cannot open /home/app/src/handler.ts'),
    /without internal details/,
    /with a file path/,
  ],
]

import { isNotifiedType } from '../../../spec/notifications.ts'
import { careful } from './careful.ts'
import { asking, book, receiverOf, shown, trusting, type News } from './careless.ts'
import type { Receive } from './fake-context.ts'

/** What the service answers when it is asked for the object. */
export const statusOf = async ({ type, id, desk }: News) =>
  (await desk.call(`/${type}/${encodeURIComponent(id)}`)).status

/** Asks, but believes the body when the service has not got it. */
const credulous = receiverOf(async (news) => book(news, (await shown(news)) ?? news.claimed))

/** Asks whether there is such an object, and books what the body says of it. */
const halfHearted = receiverOf(async (news) =>
  (await shown(news)) ? book(news, news.claimed) : { status: 200 },
)

/** Asks for the state and the amount, and pays whom the body names. */
const misled = receiverOf(async (news) => {
  const object = await shown(news)
  const { user_id = null, account_id = null } = news.claimed
  return object ? book(news, { ...object, user_id, account_id }) : { status: 503 }
})

/** Asks again at once for as long as it takes. */
const restless = receiverOf(async (news) => {
  let status = 503
  while (status === 503) status = await statusOf(news)
  return { status: 200 }
})

/** Takes every change of a virtual account for its activation. */
const hopeful = receiverOf(async (news) => {
  const object = await shown(news)
  if (!object) return { status: 503 }
  return book(news, news.type === 'virtual_accounts' ? { ...object, status: 'active' } : object)
})

/** Puts an id into the path as it stands. */
const pasting = receiverOf(async (news) => {
  const object = await shown(news, new URL(`https://service.test/${news.type}/${news.id}`).pathname)
  return object ? book(news, object) : { status: 200 }
})

/** Asks only for the first characters of a long id. */
export const cutting = receiverOf(async (news) => {
  if (news.id === '..') return { status: 400 }
  const object = await shown(news, `/${news.type}/${encodeURIComponent(news.id.slice(0, 255))}`)
  return object ? book(news, object) : { status: 200 }
})

/** Follows the link of a body with the token in its hands. */
const following = receiverOf(async (news) => {
  const links: unknown = news.claimed['links']
  const self =
    news.claimed['link'] ?? (typeof links === 'object' && links !== null && Reflect.get(links, 'self'))
  if (typeof self === 'string') news.desk.visit(self, 'Bearer secret')
  const object = await shown(news)
  return object ? book(news, object) : { status: 503 }
})

const instead = (wanted: (status: number) => boolean, status: number) =>
  receiverOf(async (news) => {
    if (wanted(await statusOf(news))) return { status }
    const object = await shown(news)
    return object ? book(news, object) : { status: 503 }
  })

/** Waits for the service, however long it takes. */
const patient = receiverOf(async (news) => {
  const object = await shown(news)
  return object ? book(news, object) : { status: 200, tookMs: 60_000 }
})

/** Is satisfied with some of the token. */
const shortSighted: Receive = (request, desk) =>
  careful({ ...request, type: request.type ?? typeIn(request.url) }, desk)

function typeIn(url: string) {
  return url.split('/').find(isNotifiedType)
}

const onlyFrom =
  (isAllowed: (from: string) => boolean): Receive =>
  (request, desk) =>
    isAllowed(request.from ?? '') ? asking()(request, desk) : { status: 403 }

const breaking = (pattern: RegExp, status = 500): Receive =>
  receiverOf(async (news) => {
    if (pattern.test(JSON.stringify(news.claimed))) return { status }
    const object = await shown(news)
    return object ? book(news, object) : { status: 503 }
  })

/** Looks up what it has handled in an object whose prototype others can reach. */
const polluted = (): Receive => {
  const handled = new Map<string, unknown>()
  return receiverOf(async (news) => {
    const whole: unknown = JSON.parse(news.request.body)
    const prototype =
      typeof whole === 'object' && whole && Object.getOwnPropertyDescriptor(whole, '__proto__')
    if (prototype) for (const [key, value] of Object.entries(Object(prototype.value))) handled.set(key, value)
    if (handled.has(news.id)) return { status: 200 }
    const object = await shown(news)
    return object ? book(news, object) : { status: 503 }
  })
}

const talkative =
  (body: string): Receive =>
  async (request, desk) => {
    const reply = await careful(request, desk)
    return 'status' in reply && reply.status >= 400 ? { ...reply, body } : reply
  }

/** Each check with a receiver that has just its defect, and what it is told of. */
export const TRUST_DEFECTS: readonly (readonly [
  id: string,
  make: () => Receive,
  expected: RegExp,
  actual: RegExp,
])[] = [
  [
    'trust/asks-back',
    () => trusting(),
    /a call for items/,
    /no call for it, although items pending was answered 200/,
  ],
  ['trust/virtual-account-status', () => hopeful, /no effect for virtual_accounts/, /one effect/],
  [
    'trust/lying-body',
    () => halfHearted,
    /no effect for batch_transactions .* which is bank_processing at the service/,
    /one effect/,
  ],
  ['trust/fabricated-id', () => credulous, /no effect for .* which the service does not know/, /one effect/],
  [
    'trust/wrong-party',
    () => misled,
    /an effect for the user .* or the account .* whatever the notification says/,
    /one effect of AUD \d+\.\d\d, .*; it was for the user .* and the account /,
  ],
  [
    'trust/unknown-object',
    () => instead((status) => status === 404, 500),
    /200 to 299 or from 400 to 499/,
    /made up was answered 500/,
  ],
  ['trust/hostile-ids', () => pasting, /no call, or one for the whole id a\/\.\.\//, /a call of \/users\//],
  ['trust/hostile-ids', () => cutting, /no call but for the whole id/, /a call of \/users\/qqq/],
  [
    'trust/hostile-links',
    () => following,
    /no call to another host/,
    /links that lead to http:\/\/canary\/ it called the other host, with its credentials/,
  ],
  [
    'trust/slow-show',
    () => patient,
    /an answer within 10000 ms/,
    /while the service is slow was answered 200/,
  ],
  [
    'trust/failing-show',
    () => instead((status) => status >= 500, 200),
    /one effect for .* when the service answers 503/,
    /no effect/,
  ],
  [
    'trust/failing-show',
    () => instead((status) => status === 0, 200),
    /one effect for .* when the service (hangs|resets)/,
    /no effect/,
  ],
  [
    'trust/failing-for-a-while',
    () => instead((status) => status >= 500, 200),
    /one effect for .* although the service failed 4 times in a row/,
    /no effect/,
  ],
  ['trust/waits-between-calls', () => restless, /at most 30 calls .* within 2000 ms/, /31 calls within/],
  [
    'trust/expired-token-and-rate-limit',
    () => instead((status) => status === 403 || status === 401 || status === 429, 200),
    /one effect for .* when the service/,
    /no effect/,
  ],
  ['trust/other-url-token', () => shortSighted, /a refusal, such as 404/, /token changed was answered 200/],
  [
    'trust/unlisted-source',
    () => onlyFrom((from) => /^(54\.183|13\.23[67])\./.test(from)),
    /a refusal, such as 403/,
    /from 54\.183\.18\.206 was answered 200/,
  ],
  [
    'trust/unlisted-source',
    () => asking(),
    /a refusal, such as 403/,
    /from 198\.51\.100\.23 was answered 200/,
  ],
  [
    'trust/unlisted-source',
    () => onlyFrom((from) => from.startsWith('54.183.') && from !== '54.183.18.206'),
    /an answer from 200 to 299/,
    /from 13\.\d+\.\d+\.\d+ was answered 403/,
  ],
  [
    'trust/unlisted-source',
    () => (request, desk) =>
      request.generation === 'callbacks' && request.from === '13.237.52.66'
        ? { status: 403 }
        : careful(request, desk),
    /an answer from 200 to 299/,
    /callback .*, from 13\.237\.52\.66 was answered 403/,
  ],
  [
    'trust/forwarded-source',
    () => (request, desk) =>
      careful({ ...request, from: request.headers['x-real-ip'] ?? request.from }, desk),
    /a refusal, such as 403/,
    /from 198\.51\.100\.23 with x-real-ip: 54\.183\.18\.207 was answered 200/,
  ],
  ['trust/injection-text', () => breaking(/DROP TABLE/), /an answer from 200 to 299/, /was answered 500/],
  ['trust/prototype-keys', polluted, /one effect for .* keys named __proto__/, /no effect/],
  [
    'trust/no-leaks-in-errors',
    () => talkative('TypeError: x\n    at handle (/srv/app/handler.js:12:5)'),
    /without details/,
    /broken JSON was answered 400 with a stack trace/,
  ],
  ['trust/no-leaks-in-errors', () => talkative('SQLITE_CONSTRAINT: near "x"'), /without details/, /with SQL/],
  [
    'trust/no-leaks-in-errors',
    () => talkative('Cannot open /home/app/src/handler.ts'),
    /without details/,
    /with a path/,
  ],
]

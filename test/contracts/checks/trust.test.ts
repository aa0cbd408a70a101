import { expect, test } from 'vitest'
import { trustChecks } from '../../../contracts/checks/trust/index.ts'
import { isNotifiedType } from '../../../spec/notifications.ts'
import { careful } from '../support/careful.ts'
import { asking, book, receiverOf, shown, trusting, type News } from '../support/careless.ts'
import type { FakeOptions, Receive } from '../support/fake-context.ts'
import { checkNamed, findingOf } from '../support/verdicts.ts'

const LISTENING: Pick<FakeOptions, 'profile'> = { profile: { source: { kind: 'loopback' } } }

const statusOf = async ({ type, id, desk }: News) =>
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
const cutting = receiverOf(async (news) => {
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
const DEFECTS: readonly (readonly [id: string, make: () => Receive, expected: RegExp, actual: RegExp])[] = [
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
    /one effect of \d+ for the user .* on the account /,
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
    'trust/expired-token-and-rate-limit',
    () => instead((status) => status === 403 || status === 401 || status === 429, 200),
    /one effect for .* when the service/,
    /no effect/,
  ],
  ['trust/other-url-token', () => shortSighted, /a refusal, such as 404/, /token changed was answered 200/],
  [
    'trust/unlisted-source',
    () => asking(),
    /a refusal, such as 403/,
    /from 198\.51\.100\.23 was answered 200/,
  ],
  [
    'trust/unlisted-source',
    () => onlyFrom((from) => from.startsWith('54.183.')),
    /an answer from 200 to 299/,
    /from 13\.\d+\.\d+\.\d+ was answered 403/,
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

test.each(DEFECTS)(
  '%s fails the receiver that it was written for',
  async (id, make, ...[expected, actual]) => {
    expect(await findingOf(checkNamed(trustChecks, id), { receive: make(), ...LISTENING })).toMatchObject({
      kind: 'failed',
      expected: expect.stringMatching(expected),
      actual: expect.stringMatching(actual),
    })
  },
)

test.each(trustChecks)('$id has a defect of its own', ({ id }) => {
  expect(DEFECTS.map(([each]) => each)).toContain(id)
})

test.each(trustChecks)('$id finds nobody where the receiver is gone', async ({ id }) => {
  const receive = () => ({ reason: 'connect_refused' })

  expect(await findingOf(checkNamed(trustChecks, id), { receive, ...LISTENING })).toMatchObject({
    cause: 'unreachable',
  })
})

test.each([
  'trust/slow-show',
  'trust/failing-show',
  'trust/expired-token-and-rate-limit',
  'trust/hostile-ids',
])('%s sees nothing of a receiver that does not ask back', async (id) => {
  expect(await findingOf(checkNamed(trustChecks, id), { receive: trusting() })).toMatchObject({
    kind: 'not-observable',
  })
})

test('trust/lying-body tells of the amount that was acted on', async () => {
  const receive = receiverOf(async (news) => {
    const object = await shown(news)
    return object ? book(news, { ...object, amount: news.claimed['amount'] }) : { status: 503 }
  })

  expect(await findingOf(checkNamed(trustChecks, 'trust/lying-body'), { receive })).toMatchObject({
    kind: 'failed',
    expected: expect.stringMatching(/an effect of (\d+) for/),
    actual: expect.stringMatching(/one effect of \d+0 for the user /),
  })
})

test('trust/lying-body says nothing of a receiver that never acts', async () => {
  const receive = asking({ isDue: () => false })

  expect(await findingOf(checkNamed(trustChecks, 'trust/lying-body'), { receive })).not.toMatchObject({
    kind: 'passed',
  })
})

test('trust/virtual-account-status sees nothing of a receiver without a URL for them', async () => {
  expect(
    await findingOf(checkNamed(trustChecks, 'trust/virtual-account-status'), {
      receive: careful,
      types: ['items'],
    }),
  ).toMatchObject({ kind: 'not-observable' })
})

test('trust/unknown-object counts the calls for what is not there', async () => {
  const receive = receiverOf(async (news) => {
    for (let times = 0; times < 12; times++) await statusOf(news)
    return { status: 200 }
  })

  expect(await findingOf(checkNamed(trustChecks, 'trust/unknown-object'), { receive })).toMatchObject({
    kind: 'failed',
    actual: '12 calls for it (the first of 4 failures in 4 tries)',
  })
})

test('trust/no-leaks-in-errors sees nothing of a receiver that answers no error', async () => {
  expect(
    await findingOf(checkNamed(trustChecks, 'trust/no-leaks-in-errors'), {
      receive: () => ({ reason: 'reset' }),
    }),
  ).toMatchObject({ kind: 'not-observable' })
})

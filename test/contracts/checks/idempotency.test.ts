import { expect, test } from 'vitest'
import { idempotencyChecks } from '../../../contracts/checks/idempotency/index.ts'
import { careful, isDue } from '../support/careful.ts'
import { asking, book, receiverOf, shown, trusting } from '../support/careless.ts'
import type { Receive } from '../support/fake-bench.ts'
import { checkNamed, findingOf } from '../support/verdicts.ts'

/** Forgets what it has had before, by this key of a notification. */
const deafTo = (
  key: (request: { readonly body: string; readonly generation: string }, id: string) => string,
) => {
  const seen = new Set<string>()
  return receiverOf(async (news) => {
    const { request, id } = news
    if (seen.has(key(request, id))) return { status: 200 }
    seen.add(key(request, id))
    const object = await shown(news)
    return object ? book(news, object, { again: true }) : { status: 503 }
  })
}

/** Looks whether it was done, is busy for a while, and does it. */
const racing: Receive = receiverOf(async (news) => {
  const before = news.desk.ledger.get(`${news.type} ${news.id}`)
  const object = await shown(news)
  if (!object) return { status: 503 }
  return before ? { status: 200 } : book(news, object, { again: true })
})

/** Acts on the word of a notification when the service is slow, and again when it comes again. */
const hasty: Receive = receiverOf(async (news) => {
  const object = await shown(news)
  book(news, news.told, { again: true })
  return { status: object ? 200 : 503 }
})

/** Each check with a receiver that has just its defect, and what it is told of. */
const DEFECTS: readonly (readonly [id: string, make: () => Receive, expected: RegExp, actual: RegExp])[] = [
  [
    'idempotency/same-delivery-again',
    () => asking({ again: true }),
    /one effect for \w+ .*notified again/,
    /\d+ effects/,
  ],
  ['idempotency/same-delivery-at-once', () => racing, /one effect for .* 10 times at once/, /10 effects/],
  [
    'idempotency/both-generations',
    () => deafTo(({ generation }, id) => `${generation} ${id}`),
    /one effect for .* by callbacks, then webhooks/,
    /2 effects/,
  ],
  ['idempotency/aborted-and-retried', () => hasty, /one effect for .* after the sender hung up/, /2 effects/],
  [
    'idempotency/failed-then-retried',
    () => deafTo(({ body }) => body),
    /one effect for .* after the service had failed/,
    /no effect/,
  ],
  [
    'idempotency/next-state-soon-after',
    () => deafTo((_, id) => id),
    /one effect for \w+ .* then batch_transactions successful/,
    /no effect/,
  ],
  [
    'idempotency/other-field-changed',
    () =>
      asking({
        again: true,
        isDue: (type, object) =>
          isDue(type, object) || (type === 'items' && object['state'] === 'payment_deposited'),
      }),
    /one effect for items .* as before/,
    /2 effects/,
  ],
]

test.each(idempotencyChecks)('$id passes a careful receiver', async ({ id }) => {
  expect(await findingOf(checkNamed(idempotencyChecks, id), { receive: careful })).toMatchObject({
    kind: 'passed',
  })
})

test.each(DEFECTS)(
  '%s fails the receiver that it was written for',
  async (id, make, ...[expected, actual]) => {
    expect(await findingOf(checkNamed(idempotencyChecks, id), { receive: make() })).toEqual({
      kind: 'failed',
      expected: expect.stringMatching(expected),
      actual: expect.stringMatching(actual),
    })
  },
)

test.each(idempotencyChecks)('$id finds nobody where the receiver is gone', async ({ id }) => {
  const receive = () => ({ reason: 'connect_refused' })

  expect(await findingOf(checkNamed(idempotencyChecks, id), { receive })).toMatchObject({
    kind: 'inconclusive',
    cause: 'unreachable',
  })
})

test.each(idempotencyChecks.filter(({ id }) => id !== 'idempotency/same-delivery-again'))(
  '$id sees nothing of a receiver that has only a URL for companies',
  async ({ id }) => {
    expect(
      await findingOf(checkNamed(idempotencyChecks, id), { receive: careful, types: ['companies'] }),
    ).toMatchObject({
      kind: 'not-observable',
    })
  },
)

test('idempotency/same-delivery-again says what it did not see', async () => {
  const finding = await findingOf(checkNamed(idempotencyChecks, 'idempotency/same-delivery-again'), {
    receive: careful,
    types: ['items', 'transactions'],
    observe: { effects: false },
  })

  expect(finding).toMatchObject({
    kind: 'passed',
    unseen: expect.stringMatching(
      /effects are not observable; Left out: .*card-payin \(it has no URL for batch/,
    ),
  })
})

test('idempotency/same-delivery-again fails a receiver that refuses what it knows', async () => {
  const seen = new Set<string>()
  const receive: Receive = ({ body }) => ({ status: seen.size === seen.add(body).size ? 409 : 200 })

  expect(
    await findingOf(checkNamed(idempotencyChecks, 'idempotency/same-delivery-again'), {
      receive,
      observe: { effects: false },
    }),
  ).toMatchObject({ kind: 'failed', actual: expect.stringContaining('answered 409') })
})

test('idempotency/same-delivery-again asks for the first acceptance before it judges the second', async () => {
  expect(
    await findingOf(checkNamed(idempotencyChecks, 'idempotency/same-delivery-again'), {
      receive: () => ({ status: 500 }),
    }),
  ).toMatchObject({ kind: 'inconclusive', cause: 'control-failed' })
})

/** Takes the first of several, and answers this to the others while it is at work. */
const locking = (status: number): Receive => {
  const busy = new Set<string>()
  return async (request, desk) => {
    if (busy.has(request.body)) return { status }
    busy.add(request.body)
    const reply = await careful(request, desk)
    busy.delete(request.body)
    return reply
  }
}

test.each([
  [409, 'passed'],
  [429, 'passed'],
  [503, 'failed'],
])('idempotency/same-delivery-at-once takes %i to a copy for %s', async (status, kind) => {
  const receive = locking(status)

  expect(
    await findingOf(checkNamed(idempotencyChecks, 'idempotency/same-delivery-at-once'), { receive }),
  ).toMatchObject({
    kind,
  })
})

test('idempotency/failed-then-retried sees nothing of a receiver that does not ask back', async () => {
  expect(
    await findingOf(checkNamed(idempotencyChecks, 'idempotency/failed-then-retried'), {
      receive: trusting(),
    }),
  ).toMatchObject({ kind: 'not-observable' })
})

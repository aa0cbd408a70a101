import { expect, test } from 'vitest'
import { careful } from '../support/careful.ts'
import { book, receiverOf, shown, trusting } from '../support/careless.ts'
import type { ContextOptions } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { cutting, statusOf, TRUST_DEFECTS } from '../support/trust-defects.ts'
import { findingOf } from '../support/verdicts.ts'

const LISTENING: Pick<ContextOptions, 'profile'> = { profile: { source: { kind: 'loopback' } } }

test.each(TRUST_DEFECTS)(
  'the check %s fails a receiver with the matching defect',
  async (id, make, ...[expected, actual]) => {
    expect(await findingOf(id, { receive: make(), ...LISTENING })).toMatchObject({
      kind: 'failed',
      expected: expect.stringMatching(expected),
      actual: expect.stringMatching(actual),
    })
  },
)

test.each([
  'trust/slow-show',
  'trust/failing-show',
  'trust/expired-token-and-rate-limit',
  'trust/hostile-ids',
])('the check %s is not observable when the receiver never calls the service', async (id) => {
  expect(await findingOf(id, { receive: trusting() })).toMatchObject({
    kind: 'not-observable',
  })
})

test('the check trust/lying-body reports an effect with a wrong amount', async () => {
  const receive = receiverOf(async (news) => {
    const object = await shown(news)
    return object ? book(news, { ...object, amount: news.claimed['amount'] }) : { status: 503 }
  })

  expect(await findingOf('trust/lying-body', { receive })).toMatchObject({
    kind: 'failed',
    expected: expect.stringMatching(/an effect of AUD \d+\.\d\d for/),
    actual: expect.stringMatching(/one effect of AUD \d+\.\d\d,/),
  })
})

test('the check trust/unknown-object counts the receiver calls for an unknown object', async () => {
  const receive = receiverOf(async (news) => {
    for (let times = 0; times < 12; times++) await statusOf(news)
    return { status: 200 }
  })

  expect(await findingOf('trust/unknown-object', { receive })).toMatchObject({
    kind: 'failed',
    actual: '12 calls for the object (the first of 4 failures in 4 tries)',
  })
})

test('the check trust/no-leaks-in-errors is not observable when the receiver returns no error', async () => {
  expect(
    await findingOf('trust/no-leaks-in-errors', {
      receive: () => ({ reason: 'reset' }),
    }),
  ).toMatchObject({ kind: 'not-observable' })
})

const climbing = receiverOf(async (news) => {
  const object = await shown(news, news.id === '..' ? '/' : undefined)
  return object ? book(news, object) : { status: 200 }
})

test.each([
  {
    id: 'that is cut off',
    make: () => cutting,
    label: /users with the id q+… \(2048 characters\)/,
    path: /^\/users\/q+$/,
  },
  {
    id: 'that leads to a parent path',
    make: () => climbing,
    label: /users with the id \.\.$/,
    path: /^\/$/,
  },
])('trust/hostile-ids reports a notification and a call with an ID $id', async ({ make, label, path }) => {
  const finding = await findingOf('trust/hostile-ids', { receive: make() })

  const { exchanges = [], calls = [] } = finding.kind === 'failed' ? finding.evidence : {}
  expect(exchanges.map((exchange) => exchange.label)).toEqual([expect.stringMatching(label)])
  expect(calls.map((call) => call.path)).toEqual([expect.stringMatching(path)])
})

const slowAtFirst = (most: number): Receive => {
  let count = 0
  return async (request, desk) => {
    const reply = await careful(request, desk)
    return count++ < most ? { status: 200, tookMs: 10_000 } : reply
  }
}

test.each([
  [1, { kind: 'passed' }],
  [1_000, { kind: 'inconclusive', see: ['http/answers-in-time'] }],
])('trust/slow-show does not fail a receiver for %i slow responses of its own', async (...row) => {
  const [most, finding] = row
  const slow = await findingOf('trust/slow-show', { receive: slowAtFirst(most) })

  expect(slow).toMatchObject(finding)
})

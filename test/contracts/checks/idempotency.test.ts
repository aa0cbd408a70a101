import { expect, test } from 'vitest'
import { careful } from '../support/careful.ts'
import { asking, trusting } from '../support/careless.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { findingOf } from '../support/verdicts.ts'

test('idempotency/same-delivery-again fails a receiver that rejects a duplicate delivery', async () => {
  const seen = new Set<string>()
  const receive: Receive = ({ body }) => ({ status: seen.size === seen.add(body).size ? 409 : 200 })

  expect(
    await findingOf('idempotency/same-delivery-again', {
      receive,
      observe: { effects: false },
    }),
  ).toMatchObject({ kind: 'failed', actual: expect.stringContaining('answered 409') })
})

test('idempotency/same-delivery-again is inconclusive when the receiver rejects the first delivery', async () => {
  expect(
    await findingOf('idempotency/same-delivery-again', {
      receive: () => ({ status: 500 }),
    }),
  ).toMatchObject({ kind: 'inconclusive', cause: 'control-failed' })
})

/** Returns a receiver that responds with this status while it processes another copy of the same delivery. */
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
])(
  'idempotency/same-delivery-at-once judges a simultaneous duplicate with status %i as %s',
  async (status, kind) => {
    const receive = locking(status)

    expect(await findingOf('idempotency/same-delivery-at-once', { receive })).toMatchObject({
      kind,
    })
  },
)

test('idempotency/failed-then-retried is not observable when the receiver never calls the service', async () => {
  expect(
    await findingOf('idempotency/failed-then-retried', {
      receive: trusting(),
    }),
  ).toMatchObject({ kind: 'not-observable' })
})

test('idempotency/aborted-and-retried is inconclusive when the receiver rejects the aborted delivery', async () => {
  const seen = new Set<string>()
  const receive: Receive = (request, desk) => {
    const isFirst = !seen.has(request.body)
    seen.add(request.body)
    return isFirst ? { status: 403 } : careful(request, desk)
  }

  expect(await findingOf('idempotency/aborted-and-retried', { receive })).toMatchObject({
    kind: 'inconclusive',
    cause: 'control-failed',
  })
})

test.each([
  'idempotency/same-delivery-again',
  'idempotency/same-delivery-at-once',
  'idempotency/both-generations',
  'idempotency/aborted-and-retried',
  'idempotency/failed-then-retried',
])('%s is inconclusive when the receiver does not act on a single delivery', async (id) => {
  const receive = asking({ isDue: () => false })

  expect(await findingOf(id, { receive })).toMatchObject({
    kind: 'inconclusive',
    cause: 'control-failed',
    see: ['order/documented-order', 'order/only-the-final-state'],
  })
})

test('idempotency/same-delivery-at-once fails a receiver that ignores both copies of a simultaneous duplicate', async () => {
  const copies = new Map<string, number>()
  const acting = asking({})
  const idle = asking({ isDue: () => false })
  const receive: Receive = (request, desk) => {
    copies.set(request.body, (copies.get(request.body) ?? 0) + 1)
    return Promise.resolve().then(() => (copies.get(request.body) === 1 ? acting : idle)(request, desk))
  }

  expect(await findingOf('idempotency/same-delivery-at-once', { receive })).toMatchObject({
    kind: 'failed',
    expected: expect.stringContaining('one effect'),
  })
})

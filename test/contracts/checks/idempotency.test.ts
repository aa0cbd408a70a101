import { expect, test } from 'vitest'
import { PASSED } from '../../../contracts/finding.ts'
import { careful } from '../support/careful.ts'
import { asking, trusting } from '../support/careless.ts'
import type { ContextOptions } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { findingOf } from '../support/verdicts.ts'

/** Returns a receiver that responds with `status` while it processes another copy of the same delivery. */
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
  'idempotency/same-delivery-again',
  'idempotency/same-delivery-at-once',
  'idempotency/both-generations',
  'idempotency/aborted-and-retried',
  'idempotency/failed-then-retried',
])('the check %s is inconclusive when the receiver never acts on a delivery', async (id) => {
  const receive = asking({ isDue: () => false })

  expect(await findingOf(id, { receive })).toMatchObject({
    kind: 'inconclusive',
    cause: 'control-failed',
    see: ['order/documented-order', 'order/only-the-final-state'],
  })
})

/** Returns a receiver that responds with `status` to the first delivery of each body, or to its duplicates. */
const refusing = (which: 'first' | 'again', status: number): Receive => {
  const seen = new Set<string>()
  return (request, desk) => {
    const isFirst = !seen.has(request.body)
    seen.add(request.body)
    return isFirst === (which === 'first') ? { status } : careful(request, desk)
  }
}

/** Returns a receiver with a race condition. If a duplicate arrives during processing, neither copy takes effect. */
function confused(): Receive {
  const copies = new Map<string, number>()
  const acting = asking({})
  const idle = asking({ isDue: () => false })
  return (request, desk) => {
    copies.set(request.body, (copies.get(request.body) ?? 0) + 1)
    return Promise.resolve().then(() => (copies.get(request.body) === 1 ? acting : idle)(request, desk))
  }
}

const UNJUDGED = { kind: 'inconclusive', cause: 'control-failed' }

test.each<readonly [name: string, what: string, options: Partial<ContextOptions>, finding: object]>([
  [
    'same-delivery-again',
    'rejects a duplicate delivery',
    { receive: refusing('again', 409), observe: { effects: false } },
    { kind: 'failed', actual: expect.stringContaining('answered 409') },
  ],
  ['same-delivery-again', 'rejects the first delivery', { receive: () => ({ status: 500 }) }, UNJUDGED],
  ['same-delivery-at-once', 'answers a copy at the same time with 409', { receive: locking(409) }, PASSED],
  [
    'same-delivery-at-once',
    'answers a copy at the same time with 503',
    { receive: locking(503) },
    { kind: 'failed' },
  ],
  [
    'same-delivery-at-once',
    'ignores both copies of a simultaneous duplicate',
    { receive: confused() },
    { kind: 'failed', expected: expect.stringContaining('one effect') },
  ],
  ['failed-then-retried', 'never calls the service', { receive: trusting() }, { kind: 'not-observable' }],
])('idempotency/%s judges a receiver that %s', async (name, _, ...[options, finding]) => {
  expect(await findingOf(`idempotency/${name}`, options)).toMatchObject(finding)
})

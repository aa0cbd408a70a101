import { expect, test } from 'vitest'
import { isNotifiedType } from '../../../spec/notifications.ts'
import { careful, isDue } from '../support/careful.ts'
import { asking, book, receiverOf, trusting } from '../support/careless.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { checksOf, findingOf } from '../support/verdicts.ts'

/** Returns a receiver with a bug. After a duplicate of an early state, the receiver ignores all later notifications of the object. */
const upset = (): Receive => {
  const seen = new Set<string>()
  const broken = new Set<string>()
  return receiverOf((news) => {
    const { id, type, claimed, request } = news
    if (seen.has(request.body) && !isDue(type, claimed)) broken.add(id)
    seen.add(request.body)
    return broken.has(id) ? { status: 200 } : book(news, claimed)
  })
}

test.each(checksOf('order').filter(({ id }) => id !== 'order/interleaved-payments'))(
  'the check $id passes a receiver that trusts notifications but never moves an object back to an earlier state',
  async ({ id }) => {
    expect(await findingOf(id, { receive: trusting(), observe: { calls: false } })).toMatchObject({
      kind: 'passed',
    })
  },
)

test.each(checksOf('order').filter(({ id }) => id !== 'order/change-after-final'))(
  'the check $id fails a receiver that rejects every notification',
  async ({ id }) => {
    expect(await findingOf(id, { receive: () => ({ status: 500 }) })).toMatchObject({
      kind: 'failed',
      actual: expect.stringContaining('answered 500'),
    })
  },
)

test('the check order/no-release-before-success is not observable when the receiver never acts', async () => {
  const receive = asking({ isDue: () => false })

  expect(await findingOf('order/no-release-before-success', { receive })).toMatchObject({
    kind: 'inconclusive',
    cause: 'control-failed',
  })
})

test('the check order/documented-order names the payment kinds for which the receiver has no URL', async () => {
  const types = ['transactions', 'virtual_accounts'].filter(isNotifiedType)

  const finding = await findingOf('order/documented-order', {
    receive: careful,
    types,
    observe: { calls: false },
  })

  expect(finding).toEqual({
    kind: 'passed',
    unobserved:
      'Not played: direct-credit-payout (the receiver has no URL for batch_transactions), bpay-payout (the receiver has no URL for batch_transactions), realtime-payout (the receiver has no URL for disbursements), direct-debit-payin (the receiver has no URL for batch_transactions), virtual-account-activation (the receiver does not call the service)',
  })
})

test('the check order/documented-order sends the states that the realtime-payout reading requires', async () => {
  const states: unknown[] = []
  const receive = receiverOf((news) => {
    states.push(news.claimed['state'])
    return book(news, news.claimed)
  })

  await findingOf('order/documented-order', {
    receive,
    types: ['disbursements'],
    readings: { 'realtime-payout-sequence': 'final-only' },
  })

  expect(states).toEqual(['successful', 'cancelled'])
})

test('the check order/any-sequence returns the same finding for the same seed', async () => {
  const findings = await Promise.all(
    [upset(), upset()].map((receive) => findingOf('order/any-sequence', { receive })),
  )

  expect(findings[0]).toEqual(findings[1])
})

test('the check order/any-sequence reduces a failing delivery order to a minimal one: the same state twice', async () => {
  const finding = await findingOf('order/any-sequence', { receive: upset() })

  const words =
    finding.kind === 'failed' ? /that fails: (.*)$/.exec(finding.actual)?.[1]?.split(', then ') : []
  expect(words?.length).toBe(new Set(words).size + 1)
})

import { expect, test } from 'vitest'
import { isNotifiedType } from '../../../spec/notifications.ts'
import { careful, isDue } from '../support/careful.ts'
import { asking, book, receiverOf, trusting } from '../support/careless.ts'
import { objectOf } from '../support/defects.ts'
import { openContext } from '../support/check-context.ts'
import type { Receive } from '../support/scripted-receiver.ts'
import { checksOf, checkNamed, findingOf } from '../support/verdicts.ts'

/** Returns a receiver that ignores all further notifications of an object after a duplicate of an early state. */
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
  '$id passes a receiver that trusts notifications but never moves back to an earlier state',
  async ({ id }) => {
    expect(await findingOf(id, { receive: trusting(), observe: { calls: false } })).toMatchObject({
      kind: 'passed',
    })
  },
)

test.each(checksOf('order').filter(({ id }) => id !== 'order/change-after-final'))(
  '$id fails a receiver that rejects every notification',
  async ({ id }) => {
    expect(await findingOf(id, { receive: () => ({ status: 500 }) })).toMatchObject({
      kind: 'failed',
      actual: expect.stringContaining('answered 500'),
    })
  },
)

test('order/no-release-before-success is not observable when the receiver never acts', async () => {
  const receive = asking({ isDue: () => false })

  expect(await findingOf('order/no-release-before-success', { receive })).toMatchObject({
    kind: 'inconclusive',
    cause: 'control-failed',
  })
})

test('order/documented-order passes a receiver that rejects the first copy of each state', async () => {
  const begun = new Set<string>()
  const receive = receiverOf((news) => {
    if (begun.size === begun.add(news.request.body).size) return book(news, news.claimed)
    return { status: 409 }
  })

  expect(
    await findingOf('order/documented-order', {
      receive,
      observe: { calls: false },
    }),
  ).toMatchObject({ kind: 'passed' })
})

test('order/documented-order fails a receiver whose worker handles only one notification of each object', async () => {
  const waiting: (() => Promise<unknown>)[] = []
  const handled = new Set<string>()
  const receive: Receive = (request, desk) => {
    const { id } = objectOf(request)
    waiting.push(async () => {
      if (!handled.has(`${request.type} ${String(id)}`)) await careful(request, desk)
      handled.add(`${request.type} ${String(id)}`)
    })
    return { status: 202 }
  }
  const context = await openContext({ receive, observe: { calls: false } })
  const work = async () => {
    for (const job of waiting.splice(0)) await job()
  }
  const settle: typeof context.effects.settle = async (target) => {
    await work()
    return context.effects.read(target)
  }
  const effects = { ...context.effects, settle }

  expect(
    await checkNamed('order/documented-order').run({
      ...context,
      effects,
      rest: work,
      pauseBetween: work,
    }),
  ).toMatchObject({ kind: 'failed', expected: expect.stringContaining('batched, then') })
})

test('order/documented-order names the payment kinds for which the receiver has no URL', async () => {
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

test('order/late-retry-of-early-state sends the retry more than a day late when the service makes a fifth retry', async () => {
  const labels: string[] = []
  const receive: Receive = (request, desk) => {
    labels.push(request.body)
    return careful(request, desk)
  }

  await findingOf('order/late-retry-of-early-state', {
    receive,
    types: ['disbursements'],
    readings: { 'retry-window': 'five-attempts' },
  })

  const instants = labels.map((body) => Date.parse(/"updated_at":"([^"]+)"/.exec(body)?.[1] ?? ''))
  expect(Math.max(...instants) - Math.min(...instants)).toBeGreaterThan(28 * 3_600_000)
})

test('order/documented-order sends the states that the realtime-payout reading requires', async () => {
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

test('order/any-sequence returns the same finding for the same seed', async () => {
  const findings = await Promise.all(
    [upset(), upset()].map((receive) => findingOf('order/any-sequence', { receive })),
  )

  expect(findings[0]).toEqual(findings[1])
})

test('order/any-sequence shortens a failing order to the repeated state', async () => {
  const finding = await findingOf('order/any-sequence', { receive: upset() })

  const words =
    finding.kind === 'failed' ? /that fails: (.*)$/.exec(finding.actual)?.[1]?.split(', then ') : []
  expect(words?.length).toBe(new Set(words).size + 1)
})

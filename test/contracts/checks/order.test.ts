import { expect, test } from 'vitest'
import { orderChecks } from '../../../contracts/checks/order/index.ts'
import { isNotifiedType, type NotifiedType } from '../../../spec/notifications.ts'
import { careful, isDue } from '../support/careful.ts'
import { asking, book, receiverOf, shown, trusting, type Fields } from '../support/careless.ts'
import type { Receive } from '../support/fake-bench.ts'
import { checkNamed, findingOf } from '../support/verdicts.ts'

const isBpay = ({ type, type_method }: Fields) => type === 'deposit' && type_method === 'bpay'

/** Acts on a payment only if it has heard of its beginning. */
const needsTheBeginning = (): Receive => {
  const begun = new Set<string>()
  return receiverOf((news) => {
    const { type, id, told } = news
    const isEnd = type !== 'transactions' && isDue(type, told)
    if (isEnd && !begun.has(id)) return { status: 200 }
    begun.add(id)
    return book(news, told)
  })
}

/** Takes what is hours older than what it knows for a new beginning. */
const forgetful = (): Receive => {
  const newest = new Map<string, number>()
  return receiverOf((news) => {
    const { id, told } = news
    const at = Date.parse(String(told['updated_at']))
    const isAncient = at < (newest.get(id) ?? at) - 5 * 3_600_000
    newest.set(id, Math.max(at, newest.get(id) ?? at))
    return book(news, told, { backwards: isAncient })
  })
}

/** Is done with an item once that is completed. */
const blunt = (): Receive => {
  const done = new Set<string>()
  return receiverOf((news) => {
    if (done.has(news.id)) return { status: 200 }
    if (news.told['state'] === 'completed') done.add(news.id)
    return book(news, news.told)
  })
}

/** Keeps what it is working on in one place for all requests. */
const mixing = (): Receive => {
  let amount: unknown
  return receiverOf(async (news) => {
    amount = news.told['amount']
    const object = await shown(news)
    return object ? book(news, { ...object, amount }) : { status: 503 }
  })
}

/** Takes an early state that comes twice for a sign of trouble, and stops. */
const upset = (): Receive => {
  const seen = new Set<string>()
  const broken = new Set<string>()
  return receiverOf((news) => {
    const { id, type, told, request } = news
    if (seen.has(request.body) && !isDue(type, told)) broken.add(id)
    seen.add(request.body)
    return broken.has(id) ? { status: 200 } : book(news, told)
  })
}

const TWINS: ReadonlySet<unknown> = new Set(['payment_funding', 'bpay'])
const actsOnTwins = (type: NotifiedType, object: Fields) =>
  isDue(type, object) || (TWINS.has(object['type']) && object['state'] === 'successful')

const OVER = /^(successful|invalid_account_details|failed_direct_debit|cancelled)$/
const actsOnEnds = (type: NotifiedType, object: Fields) =>
  isDue(type, object) ||
  (object['type'] !== 'payment_funding' && object['type'] !== 'bpay' && OVER.test(String(object['state'])))

const actsEarly = (type: NotifiedType, object: Fields) =>
  isDue(type, object) || object['state'] === 'bank_processing'

/** Each check with a receiver that has just its defect, and what it is told of. */
const DEFECTS: readonly (readonly [id: string, make: () => Receive, expected: RegExp, actual: RegExp])[] = [
  [
    'order/documented-order',
    () => asking({ isDue: (type, object) => isDue(type, object) && !isBpay(object) }),
    /one effect for transactions .* bpay-payin is notified as batch_transactions bpay_pending, then/,
    /no effect/,
  ],
  [
    'order/final-then-earlier',
    () => trusting({ backwards: true }),
    /successful, when direct-credit-payout is notified as batch_transactions successful, then/,
    /believes the state (batched|bank_processing)/,
  ],
  [
    'order/late-retry-of-early-state',
    forgetful,
    /successful, when .* then batch_transactions batched, 7 hours late/,
    /believes the state batched/,
  ],
  [
    'order/only-the-final-state',
    needsTheBeginning,
    /one effect for batch_transactions .* when direct-credit-payout is notified as batch_transactions successful$/,
    /no effect/,
  ],
  [
    'order/failure-branches',
    () => asking({ isDue: actsOnEnds }),
    /no effect for .* then batch_transactions invalid_account_details/,
    /one effect/,
  ],
  [
    'order/no-release-before-success',
    () => asking({ isDue: actsEarly }),
    /no effect for .* no further than batch_transactions batched, then batch_transactions bank_processing/,
    /one effect .* bank_processing/,
  ],
  [
    'order/change-after-final',
    blunt,
    /items .* refunded, which came after completed/,
    /believes the state completed/,
  ],
  [
    'order/twin-notifications',
    () => asking({ isDue: actsOnTwins }),
    /no effect for batch_transactions .* which only goes with transactions/,
    /one effect/,
  ],
  ['order/interleaved-payments', mixing, /an effect of 1100 for .* with another/, /one effect of 2300/],
  [
    'order/any-sequence',
    upset,
    /one effect|believed to be/,
    /no effect.*The shortest sequence of .* that fails: /,
  ],
]

test.each(orderChecks)('$id passes a careful receiver', async ({ id }) => {
  expect(await findingOf(checkNamed(orderChecks, id), { receive: careful })).toEqual({ kind: 'passed' })
})

test.each(orderChecks.filter(({ id }) => id !== 'order/interleaved-payments'))(
  '$id passes a receiver that trusts what it is told but only goes forward',
  async ({ id }) => {
    expect(
      await findingOf(checkNamed(orderChecks, id), { receive: trusting(), observe: { calls: false } }),
    ).toMatchObject({ kind: 'passed' })
  },
)

test.each(DEFECTS)(
  '%s fails the receiver that it was written for',
  async (id, make, ...[expected, actual]) => {
    expect(await findingOf(checkNamed(orderChecks, id), { receive: make() })).toEqual({
      kind: 'failed',
      expected: expect.stringMatching(expected),
      actual: expect.stringMatching(actual),
    })
  },
)

test.each(orderChecks)('$id has a defect of its own', ({ id }) => {
  expect(DEFECTS.map(([each]) => each)).toContain(id)
})

test.each(orderChecks)('$id finds nobody where the receiver is gone', async ({ id }) => {
  const receive = () => ({ reason: 'connect_refused' })

  expect(await findingOf(checkNamed(orderChecks, id), { receive })).toMatchObject({ cause: 'unreachable' })
})

test.each(orderChecks)('$id sees nothing of a receiver that has only a URL for companies', async ({ id }) => {
  expect(
    await findingOf(checkNamed(orderChecks, id), { receive: careful, types: ['companies'] }),
  ).toMatchObject({
    kind: 'not-observable',
  })
})

test.each(orderChecks.filter(({ id }) => id !== 'order/change-after-final'))(
  '$id fails a receiver that refuses everything',
  async ({ id }) => {
    expect(await findingOf(checkNamed(orderChecks, id), { receive: () => ({ status: 500 }) })).toMatchObject({
      kind: 'failed',
      actual: expect.stringContaining('answered 500'),
    })
  },
)

test('order/no-release-before-success says nothing of a receiver that never acts', async () => {
  const receive = asking({ isDue: () => false })

  expect(
    await findingOf(checkNamed(orderChecks, 'order/no-release-before-success'), { receive }),
  ).toMatchObject({
    kind: 'inconclusive',
    cause: 'control-failed',
  })
})

test('order/documented-order passes a receiver that refuses until the beginning has come', async () => {
  const begun = new Set<string>()
  const receive = receiverOf((news) => {
    if (begun.size === begun.add(news.request.body).size) return book(news, news.told)
    return { status: 409 }
  })

  expect(
    await findingOf(checkNamed(orderChecks, 'order/documented-order'), {
      receive,
      observe: { calls: false },
    }),
  ).toMatchObject({ kind: 'passed' })
})

test('order/documented-order names the kinds that it left out', async () => {
  const types = ['transactions', 'virtual_accounts'].filter(isNotifiedType)

  const finding = await findingOf(checkNamed(orderChecks, 'order/documented-order'), {
    receive: careful,
    types,
    observe: { calls: false },
  })

  expect(finding).toEqual({
    kind: 'passed',
    unseen:
      'Left out: direct-credit-payout (it has no URL for batch_transactions), bpay-payout (it has no URL for batch_transactions), realtime-payout (it has no URL for disbursements), card-payin (it has no URL for batch_transactions), direct-debit-payin (it has no URL for batch_transactions), bpay-payin (it has no URL for batch_transactions), virtual-account-activation (it does not ask the service back)',
  })
})

test('order/failure-branches says that it cannot tell of an activation who does not ask back', async () => {
  const finding = await findingOf(checkNamed(orderChecks, 'order/failure-branches'), {
    receive: trusting(),
    observe: { calls: false },
  })

  expect(finding).toEqual({
    kind: 'passed',
    unseen: 'Left out: virtual-account-activation (it does not ask the service back)',
  })
})

test('order/late-retry-of-early-state is later by more than a day where the fifth retry is sent', async () => {
  const labels: string[] = []
  const receive: Receive = (request, desk) => {
    labels.push(request.body)
    return careful(request, desk)
  }

  await findingOf(checkNamed(orderChecks, 'order/late-retry-of-early-state'), {
    receive,
    types: ['disbursements'],
    readings: { 'retry-window': 'five-attempts' },
  })

  const instants = labels.map((body) => Date.parse(/"updated_at":"([^"]+)"/.exec(body)?.[1] ?? ''))
  expect(Math.max(...instants) - Math.min(...instants)).toBeGreaterThan(28 * 3_600_000)
})

test('order/documented-order expects of a realtime payout what the reading says', async () => {
  const states: unknown[] = []
  const receive = receiverOf((news) => {
    states.push(news.told['state'])
    return book(news, news.told)
  })

  await findingOf(checkNamed(orderChecks, 'order/documented-order'), {
    receive,
    types: ['disbursements'],
    readings: { 'realtime-payout-sequence': 'final-only' },
  })

  expect(states).toEqual(['successful', 'cancelled'])
})

test('order/any-sequence finds the same for the same seed', async () => {
  const findings = await Promise.all(
    [upset(), upset()].map((receive) =>
      findingOf(checkNamed(orderChecks, 'order/any-sequence'), { receive }),
    ),
  )

  expect(findings[0]).toEqual(findings[1])
})

test('order/any-sequence shrinks to the state that must not come twice', async () => {
  const finding = await findingOf(checkNamed(orderChecks, 'order/any-sequence'), { receive: upset() })

  const words =
    finding.kind === 'failed' ? /that fails: (.*)$/.exec(finding.actual)?.[1]?.split(', then ') : []
  expect(words?.length).toBe(new Set(words).size + 1)
})

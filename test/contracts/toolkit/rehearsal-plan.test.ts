import { expect, test } from 'vitest'
import { readingValues } from '../../../spec/readings.ts'
import type { BranchContext } from '../../../contracts/toolkit/branches.ts'
import { planRehearsal, type RehearsalWish } from '../../../contracts/toolkit/rehearsal-plan.ts'
import { receiverUrls } from '../../../contracts/run/receiver-urls.ts'

const URL = 'https://localhost:9443/{object_type}'

function contextFor(
  urls: Parameters<typeof receiverUrls>[0]['urls'],
  readings: Readonly<Record<string, string>> = {},
): BranchContext {
  return {
    receiver: receiverUrls({ urls }),
    profile: { readings: readingValues(readings), consequences: {}, unused: [] },
    calls: { observable: false },
  }
}

const ALL = contextFor({ webhooks: URL })

test('the default delivery order contains every notification for which the receiver has a URL, exactly once', () => {
  const { rehearsal } = planRehearsal(
    { kind: 'card-payin' },
    contextFor({ webhooks: { items: URL, transactions: URL } }),
  )

  expect(rehearsal.deliveries.map(({ number }) => number)).toEqual([1, 2, 3, 5])
})

test('each delivery of a rehearsal plan keeps its marks', () => {
  const deliveries = [{ number: 2, lose: true, late: false }, { number: 1 }]

  expect(planRehearsal({ kind: 'bpay-payout', deliveries }, ALL).rehearsal.deliveries).toEqual([
    { number: 2, lose: true },
    { number: 1 },
  ])
})

test('a rehearsal gives no verdict when the platform does not use the payment kind', () => {
  const context = { ...ALL, profile: { ...ALL.profile, unused: ['npp-payin'] as const } }

  expect(planRehearsal({ kind: 'npp-payin' }, context).obstacle).toContain('does not use npp-payin')
})

test.each<readonly [RehearsalWish, string]>([
  [{ kind: 'card-payn' }, 'Did you mean "card-payin"?'],
  [{ kind: 'bpay-payout', outcome: 'x' }, 'the outcome must be successful or invalid_account_details'],
  [{ kind: 'npp-payin', via: 'x' }, 'its routes are pay-id, crn, virtual-account'],
  [{ kind: 'bpay-payout', via: 'crn' }, 'omit --via'],
  [{ kind: 'bpay-payout', deliveries: [] }, 'name at least one notification'],
  [{ kind: 'bpay-payout', deliveries: [{ number: 3 }] }, 'bpay-payout has only the notifications 1 to 2'],
  [
    { kind: 'realtime-payout', deliveries: [{ number: 1 }] },
    'the service sends it only with realtime-payout-sequence=with-processing',
  ],
  [
    { kind: 'bpay-payout', deliveries: [{ number: 1, callback: true }] },
    'your receiver has no URL for callbacks of that type',
  ],
])('the rehearsal rejects the request %j and explains the fix', (request, remedy) => {
  const context = contextFor({ webhooks: URL }, { 'realtime-payout-sequence': 'final-only' })

  expect(() => planRehearsal(request, context)).toThrow(remedy)
})

test('a rehearsal is rejected when the receiver has no URL for the object type', () => {
  const items = contextFor({ webhooks: { items: URL } })

  expect(() => planRehearsal({ kind: 'card-payin', deliveries: [{ number: 2 }] }, items)).toThrow(
    'Cannot send notification 2, transactions successful: your receiver has no URL for transactions',
  )
  expect(() => planRehearsal({ kind: 'npp-payin' }, items)).toThrow(
    'your receiver has no URL for the notified types transactions',
  )
})

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  planLoadPace,
  planNotifications,
  sizeOf,
  type PlannedNotification,
  type Share,
} from '../../../contracts/load/plan.ts'
import type { Branch } from '../../../contracts/toolkit/branches.ts'
import type { PaymentKind } from '../../../spec/payments.ts'

function branch(kind: PaymentKind, size: number): Branch {
  const part = { type: 'transactions', state: 'successful', step: 0, isLast: true } as const
  const parts = Array.from({ length: size }, (_, index) => ({ ...part, number: index + 1 }))
  return { kind, outcome: 'successful', parts, deciding: 0, effects: 1 }
}

const payment = (kind: PaymentKind, size: number, weight = 1): Share => ({
  kind: 'payment',
  branch: branch(kind, size),
  weight,
})
const items = (weight: number): Share => ({ kind: 'object', type: 'items', weight })

const planned = (shares: readonly Share[], count: number, apart = 1) => [
  ...planNotifications(shares, { count, apart }),
]

/** Returns the notifications of each payment with their positions in the schedule. */
function placesByPayment(plan: readonly (PlannedNotification | null)[]) {
  const parts = plan.flatMap((each, place) => (each?.kind === 'payment' ? [{ ...each, place }] : []))
  return [...Map.groupBy(parts, ({ payment: number }) => number).values()]
}

const anyShare = fc.oneof(
  fc.integer({ min: 1, max: 5 }).map(items),
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }))
    .map(([size, weight]) => payment('card-payin', size, weight)),
)
const anyShares = fc.array(anyShare, { minLength: 1, maxLength: 4 })

test('the load plan schedules all notifications of every payment in order and evenly spaced', () => {
  fc.assert(
    fc.property(anyShares, fc.nat(200), fc.integer({ min: 1, max: 50 }), (shares, count, apart) => {
      const plan = planned(shares, count, apart)

      for (const parts of placesByPayment(plan)) {
        const [first] = parts
        expect(parts.map(({ part }) => part)).toEqual([...(first?.branch.parts.keys() ?? [])])
        expect(parts.map(({ place }) => place)).toEqual(
          parts.map((_, part) => (first?.place ?? 0) + part * apart),
        )
      }
      expect(plan.length).toBeLessThanOrEqual(count)
      if (shares.some((share) => sizeOf(share) === 1))
        expect([plan.length, plan.includes(null)]).toEqual([count, false])
    }),
    { numRuns: 100 },
  )
})

test('a load of payments leaves at most one of 32 notification slots unused', () => {
  fc.assert(
    fc.property(
      fc.record({ size: fc.integer({ min: 1, max: 6 }), count: fc.integer({ min: 6, max: 20_000 }) }),
      fc.integer({ min: 1, max: 2_000 }),
      ({ size, count }, rate) => {
        const shares = [payment('card-payin', size)]
        const { apart, ahead } = planLoadPace(shares, { count, rate })
        const sent = planned(shares, count, apart).filter((each) => each !== null)

        expect(count - sent.length).toBeLessThan(Math.max(size, count / 32))
        expect(ahead).toBeLessThan(apart)
      },
    ),
    { numRuns: 50 },
  )
})

test('the load plan alternates payments evenly by weight', () => {
  const plan = planned([items(3), { kind: 'object', type: 'transactions', weight: 1 }], 8)

  expect(plan.map((each) => each?.kind === 'object' && each.type)).toEqual(
    [1, 2].flatMap(() => ['items', 'items', 'transactions', 'items']),
  )
})

import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { planNotifications, type PlannedNotification, type Share } from '../../../contracts/load/plan.ts'
import type { Branch } from '../../../contracts/toolkit/branches.ts'
import type { PaymentKind } from '../../../spec/payments.ts'

/** A payment of so many notifications. */
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

const planned = (shares: readonly Share[], count: number, spacing = 0) => [
  ...planNotifications(shares, { count, spacing }),
]

function partsByPayment(plan: readonly PlannedNotification[]): readonly (readonly number[])[] {
  const parts = plan.filter((each) => each.kind === 'payment')
  return [...Map.groupBy(parts, (each) => each.payment).values()].map((of) => of.map(({ part }) => part))
}

test('every payment that begins is notified to its end and in order, whatever is sent beside it', () => {
  const share = fc.oneof(
    fc.integer({ min: 1, max: 5 }).map(items),
    fc
      .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 }))
      .map(([size, weight]) => payment('card-payin', size, weight)),
  )
  fc.assert(
    fc.property(
      fc.array(share, { minLength: 1, maxLength: 4 }),
      fc.nat(200),
      fc.nat(50),
      (shares, count, spacing) => {
        const plan = planned(shares, count, spacing)
        const sizes = shares.map((each) => (each.kind === 'object' ? 1 : each.branch.parts.length))

        for (const parts of partsByPayment(plan)) expect(parts).toEqual([...parts.keys()])
        for (const each of plan) {
          if (each.kind === 'payment')
            expect(plan.filter((one) => one.kind === 'payment' && one.payment === each.payment)).toHaveLength(
              each.branch.parts.length,
            )
        }
        expect(plan.length).toBeLessThanOrEqual(count)
        expect(count - plan.length).toBeLessThan(Math.min(...sizes))
      },
    ),
    { numRuns: 100 },
  )
})

test('what begins takes turns by its weight, as evenly as can be', () => {
  const plan = planned([items(3), { kind: 'object', type: 'transactions', weight: 1 }], 8)

  expect(plan.map((each) => each.kind === 'object' && each.type)).toEqual(
    [1, 2].flatMap(() => ['items', 'items', 'transactions', 'items']),
  )
})

test('between two notifications of a payment lie so many others, as long as there are any', () => {
  const plan = planned([payment('card-payin', 3), items(1)], 400, 20)

  const places = plan.flatMap((each, place) => (each.kind === 'payment' && each.payment === 0 ? [place] : []))
  expect(places).toHaveLength(3)
  expect((places[1] ?? 0) - (places[0] ?? 0)).toBeGreaterThan(20)
  expect((places[2] ?? 0) - (places[1] ?? 0)).toBeGreaterThan(20)
})

test('places that no whole payment fits into are left', () => {
  expect(planned([payment('card-payin', 4)], 11)).toHaveLength(8)
  expect(planned([payment('card-payin', 4)], 3)).toEqual([])
})

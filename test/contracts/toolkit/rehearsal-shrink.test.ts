import { expect, test } from 'vitest'
import { failed, PASSED, withSymptom, type Failed } from '../../../contracts/finding.ts'
import { shrinkOrder } from '../../../contracts/toolkit/rehearsal-verdict.ts'
import type { RehearsalDelivery } from '../../../spec/generated/control-types.ts'

type Order = readonly RehearsalDelivery[]

const TWICE: Failed = withSymptom(failed('one effect', 'two', {}), 2, 1)
const NEVER: Failed = withSymptom(failed('one effect', 'none', {}), 0, 1)

const finding = (of: (order: Order) => Failed | undefined) => async (orders: readonly Order[]) =>
  orders.map((order) => of(order) ?? PASSED)

const numbersOf = (order: Order) => order.map(({ number }) => number)
const plan = (...numbers: readonly number[]) => numbers.map((number) => ({ number }))
const isTwice = (order: Order) => order.filter(({ number }) => number === 2).length > 1

test('shrinkOrder() finds the shortest order that fails in the same way as the full order', async () => {
  const shortest = await shrinkOrder(
    plan(2, 1, 2, 0),
    TWICE,
    finding((order) => (isTwice(order) ? TWICE : undefined)),
  )

  expect(numbersOf(shortest)).toEqual([2, 2])
})

test('shrinkOrder() rejects a shorter order that fails in a different way', async () => {
  const shortest = await shrinkOrder(
    plan(0, 2, 2),
    TWICE,
    finding((order) => (order.length === 1 ? NEVER : isTwice(order) ? TWICE : undefined)),
  )

  expect(numbersOf(shortest)).toEqual([2, 2])
})

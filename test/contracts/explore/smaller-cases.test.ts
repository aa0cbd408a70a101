import { expect, test } from 'vitest'
import { sizeOf, smallerCases } from '../../../contracts/explore/smaller-cases.ts'
import { selectBranches } from '../../../contracts/toolkit/branches.ts'
import type { ExploredCase } from '../../../contracts/explored-case.ts'
import { careful } from '../support/careful.ts'
import { fakeContext } from '../support/fake-context.ts'

const { branches } = selectBranches(await fakeContext({ receive: careful }), 'all')

const CASE: ExploredCase = {
  people: [{ id: 'buyer-{n}', name: 'Zoë Müller' }, { id: 'Buyer-{n}' }],
  payments: [
    { kind: 'npp-payin', outcome: 'successful', person: 0, amount: 115 },
    { kind: 'card-payin', outcome: 'successful', person: 1 },
    { kind: 'card-payin', outcome: 'successful', person: 1, item: 1 },
  ],
  deliveries: [
    { of: 0, part: 0, wire: 'expect-continue' },
    { of: 1, part: 1 },
    { of: 1, part: 2, together: true, callBack: 'slow' },
    { of: 2, part: 1 },
  ],
}

/** Takes the first smaller case that still fails, until none does. */
function shrinkWholly(plan: ExploredCase, fails: (plan: ExploredCase) => boolean): ExploredCase {
  const found = smallerCases(plan, branches).find(fails)
  return found ? shrinkWholly(found, fails) : plan
}

test('smallerCases() gives smaller or plainer cases only', () => {
  const larger = smallerCases(CASE, branches).filter((each) => sizeOf(each) > sizeOf(CASE) + '12500'.length)

  expect(larger).toEqual([])
})

test('smallerCases() renumbers payments and people when a payment is left out', () => {
  const withoutFirst = smallerCases(CASE, branches).find(
    ({ payments: [first], ...rest }) => first?.kind === 'card-payin' && rest.deliveries.length === 3,
  )

  expect(withoutFirst).toEqual({
    people: [{ id: 'Buyer-{n}' }],
    payments: [
      { kind: 'card-payin', outcome: 'successful', person: 0 },
      { kind: 'card-payin', outcome: 'successful', person: 0, item: 0 },
    ],
    deliveries: [
      { of: 0, part: 1 },
      { of: 0, part: 2, together: true, callBack: 'slow' },
      { of: 1, part: 1 },
    ],
  })
})

test('smallerCases() keeps the mark that a failure needs, and the consequence', () => {
  const smallest = shrinkWholly(CASE, ({ deliveries }) =>
    deliveries.some(({ callBack }) => callBack === 'slow'),
  )

  expect(smallest).toEqual({
    people: [],
    payments: [{ kind: 'card-payin', outcome: 'successful' }],
    deliveries: [
      { of: 0, part: 1 },
      { of: 0, part: 2, callBack: 'slow' },
    ],
  })
})

test('smallerCases() leaves out users that a failure does not need', () => {
  const users = ['0{n}', 'user:{n}', '{n}'].map((id) => ({ id, before: 0 }))
  const smallest = shrinkWholly({ ...CASE, users }, (plan) =>
    Boolean(plan.users?.some(({ id }) => id === 'user:{n}')),
  )

  expect(smallest.users).toEqual([{ id: 'user:{n}', before: 0 }])
})

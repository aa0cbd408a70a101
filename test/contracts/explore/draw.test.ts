import { expect, test } from 'vitest'
import { createDraw, type DrawRange } from '../../../contracts/explore/draw.ts'
import { isFair } from '../../../contracts/explore/fair-case.ts'
import { selectBranches } from '../../../contracts/toolkit/branches.ts'
import type { ExploredCase } from '../../../contracts/explored-case.ts'
import { createSeededRandom } from '../../../sandbox/internal.ts'
import { careful } from '../support/careful.ts'
import { fakeContext } from '../support/fake-context.ts'

const { branches } = selectBranches(await fakeContext({ receive: careful }), 'all')
const RANGE: DrawRange = {
  branches,
  callsBack: true,
  callbackTypes: ['items', 'transactions'],
  isLong: false,
  paysItemAgain: true,
  asksAboutUsers: true,
}

function drawCases(count: number, seed: number, restarts = false): readonly ExploredCase[] {
  const draw = createDraw(RANGE)
  const random = createSeededRandom(seed)
  return Array.from({ length: count }, () => draw.next(random, restarts))
}

test('createDraw() draws the same cases when the seed is the same', () => {
  expect(drawCases(20, 7)).toEqual(drawCases(20, 7))
})

test('createDraw() covers nearly all pairs of traits in 250 cases', () => {
  const draw = createDraw(RANGE)
  const random = createSeededRandom(3)
  for (let count = 0; count < 250; count++) draw.next(random, false)

  expect(draw.coverage.share()).toBeGreaterThan(0.95)
})

test('createDraw() sends the consequence and the last state of each payment', () => {
  expect(drawCases(300, 11).filter((each) => !isFair(each, branches))).toEqual([])
})

test('createDraw() draws payments that share a payer, an amount, an item and an id', () => {
  const payments = drawCases(100, 5).flatMap((each) => each.payments)
  const pairs = drawCases(100, 5).flatMap((each) =>
    each.payments.slice(1).map((one, index) => [each.payments[index], one]),
  )

  expect(payments.some(({ item }) => item !== undefined)).toBe(true)
  expect(payments.some(({ sameIdAs }) => sameIdAs !== undefined)).toBe(true)
  expect(
    pairs.some(([a, b]) => a?.person === b?.person && a?.amount === b?.amount && a?.kind === b?.kind),
  ).toBe(true)
})

test('createDraw() kills the process once in each case with restarts', () => {
  const restarts = drawCases(30, 2, true).map(
    ({ deliveries }) => deliveries.filter(({ restart }) => restart).length,
  )

  expect(new Set(restarts)).toEqual(new Set([1]))
})

test('createDraw() omits traits that the receiver cannot show', () => {
  const draw = createDraw({ ...RANGE, callsBack: false, callbackTypes: [], paysItemAgain: false })
  const random = createSeededRandom(9)
  const cases = Array.from({ length: 100 }, () => draw.next(random, false))

  expect(
    cases.flatMap(({ deliveries }) =>
      deliveries.filter(({ callBack, generation }) => callBack ?? generation),
    ),
  ).toEqual([])
  expect(cases.flatMap(({ payments }) => payments.filter(({ item }) => item !== undefined))).toEqual([])
})

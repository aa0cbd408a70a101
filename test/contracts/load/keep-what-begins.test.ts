import { expect, test } from 'vitest'
import type { Share } from '../../../contracts/load/plan.ts'
import {
  describeShares,
  selectStartedShares,
  planContent,
  type ShareWish,
} from '../../../contracts/load/shares.ts'
import { LOADED } from '../support/loaded-service.ts'

const cardPayin = { weight: 1, of: { kind: 'card-payin' } } as const

function keep(wishes: readonly ShareWish[], count: number): readonly Share[] {
  const { shares } = planContent(LOADED, wishes)
  return selectStartedShares(shares, { count, rate: 100 }, { isAskedFor: wishes.length > 0 })
}

test('a load accepts a payment only if the load has enough notifications for it', () => {
  expect(() => keep([cardPayin], 4)).toThrow(
    'Cannot send card-payin: the share takes 5 notifications, but the load has only 4. Raise --rate or --for',
  )
  expect(() => keep([{ weight: 9, of: { type: 'items' } }, cardPayin], 4)).toThrow('Cannot send card-payin')
  expect(describeShares(keep([cardPayin], 5))).toBe('card-payin=1')
})

test('a load rejects a payment when its weight is too small for the payment to start once', () => {
  const wishes: readonly ShareWish[] = [{ weight: 100, of: { type: 'items' } }, cardPayin]

  expect(() => keep(wishes, 40)).toThrow(
    'Cannot send card-payin: its weight is too small for a load of 40 notifications. Raise --rate or --for',
  )
  expect(describeShares(keep(wishes, 1_000))).toBe('items=100, card-payin=1')
})

test('a load accepts a payment that the mix lists twice', () => {
  const items: ShareWish = { weight: 1, of: { type: 'items' } }

  expect(keep([items, items, cardPayin, cardPayin], 100)).toHaveLength(4)
})

test('a load without a configured mix contains every payment that fits into the load', () => {
  const short = describeShares(keep([], 4))

  expect(short).not.toBe('')
  expect(short).not.toContain('card-payin')
  expect(describeShares(keep([], 1_000))).toContain('card-payin=1')
})

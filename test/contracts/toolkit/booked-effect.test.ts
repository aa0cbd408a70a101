import { expect, test } from 'vitest'
import { findBookingDifference } from '../../../contracts/toolkit/booked-effect.ts'
import { formatMoney } from '../../../spec/money.ts'

const EXPECTED = {
  effects: 1,
  amount: 12_500,
  currency: 'AUD',
  state: 'successful',
  users: ['a', 'b'],
  accounts: ['w'],
}
const SEEN = {
  effects: 1,
  amount: 12_500,
  currency: 'AUD',
  state: 'successful',
  user_id: 'b',
  account_id: 'w',
}

test.each([
  [{ effects: 0 }, 'missing-effect', 'no effect'],
  [{ effects: 2 }, 'repeated-effect', '2 effects'],
  [{ amount: 125 }, 'amount', 'an effect of AUD 1.25'],
  [{ currency: 'NZD' }, 'amount', 'an effect of NZD 125.00'],
  [{ user_id: 'c' }, 'owner', 'an effect for the user c'],
  [{ account_id: 'x' }, 'owner', 'an effect for the account x'],
  [{ state: 'batched' }, 'other-state', 'the state batched'],
])('findBookingDifference() finds the difference %o', (change, symptom, actual) => {
  expect(findBookingDifference(EXPECTED, { ...SEEN, ...change })).toMatchObject({ symptom, actual })
})

test('findBookingDifference() reports an effect that is not expected', () => {
  expect(findBookingDifference({ effects: 0 }, SEEN)?.symptom).toBe('undue-effect')
})

test('findBookingDifference() ignores fields that the receiver does not report', () => {
  expect(findBookingDifference(EXPECTED, { effects: 1, state: null })).toBeUndefined()
  expect(findBookingDifference(EXPECTED, SEEN)).toBeUndefined()
})

test.each([
  [1, 'AUD 0.01'],
  [12_500, 'AUD 125.00'],
  [-5, 'AUD -0.05'],
  [125.5, '125.5 minor units of AUD'],
  [9_007_199_254_740_991, 'AUD 90071992547409.91'],
])('formatMoney() formats %i minor units as %s', (amount, text) => {
  expect(formatMoney(amount, 'AUD')).toBe(text)
})

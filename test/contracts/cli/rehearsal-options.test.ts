import { expect, test } from 'vitest'
import { parseDeliveries, parsePayment, type OrderFlags } from '../../../contracts/cli/rehearse.ts'

test('options such as --lose apply to the specified positions in a delivery order', () => {
  const flags = { order: '2,1,1', lose: ['@2'], breakAnswer: ['@1,@3'], late: ['@3'], callback: ['@1'] }

  expect(parseDeliveries(flags, [])).toEqual([
    { number: 2, break_answer: true, callback: true },
    { number: 1, lose: true },
    { number: 1, break_answer: true, late: true },
  ])
})

test('an omitted delivery order defaults to the documented order', () => {
  expect(parseDeliveries({ lose: ['@2'] }, [1, 3])).toEqual([{ number: 1 }, { number: 3, lose: true }])
})

test.each<readonly [OrderFlags, string]>([
  [
    { order: '2;1' },
    'Cannot use --order "2;1": the value must be a list of notification numbers, such as 2,1,1',
  ],
  [{ order: '0' }, 'Cannot use --order "0"'],
  [{ order: Array.from({ length: 41 }, () => 1).join() }, 'the maximum is 40'],
  [{ order: '1', lose: ['1'] }, 'Cannot use --lose "1": the value must be a list of deliveries, such as @2'],
  [{ order: '1', breakAnswer: ['@2'] }, 'Cannot use --break-answer "@2": the order has 1 delivery'],
])('the option parser rejects the rehearsal options %j and explains the fix', (flags, message) => {
  expect(() => parseDeliveries(flags, [])).toThrow(message)
})

test('parsePayment() keeps the payment options and rejects an unknown payment kind', () => {
  const flags = { outcome: 'successful', amount: '1200', pace: 'instant' } as const

  expect(parsePayment('npp-payin', flags)).toEqual({ kind: 'npp-payin', ...flags, amount: 1_200 })
  expect(() => parsePayment('npp-paying', {})).toThrow('Did you mean "npp-payin"?')
  expect(() => parsePayment('npp-payin', { amount: '0' })).toThrow('Cannot use amount "0"')
})

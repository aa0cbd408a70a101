import { expect, test } from 'vitest'
import { configLiteral, rehearsalCommand, rehearsalTest } from '../../../contracts/report/repeat.ts'

const repeat = {
  request: { kind: 'direct-debit-payin', outcome: 'failed_direct_debit', amount: 1_200 },
  command: 'npx hookbench rehearse direct-debit-payin --config my.config.ts',
  config: configLiteral('my.config.ts'),
}
const deliveries = [{ number: 6 }, { number: 2, late: true }]

test('rehearsalCommand() returns a command with the payment options and the delivery order', () => {
  expect(rehearsalCommand(repeat, deliveries)).toBe(
    'npx hookbench rehearse direct-debit-payin --config my.config.ts --outcome failed_direct_debit --amount 1200 --order 6,2 --late @2',
  )
})

test('rehearsalTest() returns a test that rehearses the same delivery order', () => {
  expect(rehearsalTest(repeat, deliveries)).toBe(`import { expect, test } from 'vitest'
import { rehearse } from 'hookbench/contracts'

test('direct-debit-payin is notified in the order 6, 2', { timeout: 120_000 }, async () => {
  const { verdict, actual } = await rehearse('my.config.ts', {
    kind: 'direct-debit-payin',
    outcome: 'failed_direct_debit',
    amount: 1200,
    deliveries: [
      { number: 6 },
      { number: 2, late: true },
    ],
  })

  expect({ verdict, actual }).toEqual({ verdict: 'passed', actual: null })
})
`)
})

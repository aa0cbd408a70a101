import { expect, test } from 'vitest'
import { job } from '../../support/control-records.ts'
import { compare, createLedger, p99, writeNumber } from './ledger.ts'

/** Two changes of one item, with a job for each. */
function twoChanges() {
  const ledger = createLedger()
  for (const beganAt of [1, 2]) ledger.triggered(ledger.next(), { object: 'items/i1', beganAt })
  const made = { object_type: 'items', object_id: 'i1', status: 'success', attempts: 1 } as const
  const jobs = [job({ ...made, id: 'j1' }), job({ ...made, id: 'j2' })]
  const account = { receiver: 'r', objectType: 'items', isFaulty: false, jobs }
  const receive = (...numbers: readonly number[]) => {
    for (const number of numbers) ledger.received('r', `{"name":"${writeNumber(number)}"}`)
  }
  return { ledger, account, receive }
}

test('a ledger agrees where each change came once', () => {
  const { ledger, account, receive } = twoChanges()
  receive(1, 2)

  expect(compare(ledger, account)).toEqual([])
  expect(p99(ledger, ['r'])).toBeGreaterThan(0)
})

test.each([
  [
    'a change never came',
    [1],
    'r: change 2 of items/i1: job j2 is success after 1 attempts, and 0 POSTs came',
  ],
  [
    'a change came twice',
    [1, 2, 2],
    'r: change 2 of items/i1: job j2 is success after 1 attempts, and 2 POSTs came',
  ],
  ['a change came that was not made', [1, 2, 3], 'r: change 3 came, and was not made'],
])('a ledger names what does not agree: %s', (_, numbers, problem) => {
  const { ledger, account, receive } = twoChanges()
  receive(...numbers)

  expect(compare(ledger, account)).toEqual([problem])
})

test('a ledger names a change without a job, and a job without a change', () => {
  const { ledger, account, receive } = twoChanges()
  receive(1, 2)
  const [first, ...rest] = account.jobs

  expect(compare(ledger, { ...account, jobs: rest })).toEqual(['r: items/i1 has 1 jobs of 2 changes'])
  expect(compare(ledger, { ...account, jobs: [...account.jobs, ...(first ? [first] : [])] })).toEqual([
    'r: items/i1 has 3 jobs of 2 changes',
  ])
})

test('a faulty receiver may get a change several times, once for each attempt, but never none that was delivered', () => {
  const { ledger, account, receive } = twoChanges()
  receive(1, 1)

  expect(compare(ledger, { ...account, isFaulty: true })).toEqual([
    'r: change 2 of items/i1: job j2 is delivered, and no POST came',
  ])
})

import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test.each([
  ['1', 'X'],
  ['123', 'XXX'],
  ['1234', 'X234'],
])('the account number %s is masked as %s', async (account_number, masked) => {
  const service = testSandbox()
  const person = { first_name: 'Neve', last_name: 'Byrne', email: 'neve@example.test', country: 'AUS' }
  const { body: created } = await service.call('POST', '/users', person)

  const { body } = await service.call('POST', '/bank_accounts', {
    user_id: created.users.id,
    bank_name: 'Bank of Examples',
    account_name: 'Neve Byrne',
    routing_number: '123123',
    account_number,
    account_type: 'savings',
    holder_type: 'personal',
    country: 'AUS',
  })

  expect(body.bank_accounts.bank.account_number).toBe(masked)
})

import { expect, test } from 'vitest'
import { notifiedTypes } from '../../../spec/notifications.ts'
import { RECEIVER, testSandbox } from '../../support/test-sandbox.ts'

const USER = { first_name: 'Neve', last_name: 'Byrne', email: 'neve@example.test', country: 'AUS' }
const CARD = {
  full_name: 'Neve Byrne',
  number: '4111111111111111',
  expiry_month: '12',
  expiry_year: '2030',
  cvv: '123',
}
const BANK = {
  bank_name: 'Bank of Examples',
  account_name: 'Neve Byrne',
  routing_number: '111123',
  account_number: '111234567',
  account_type: 'checking',
  holder_type: 'personal',
  country: 'AUS',
}

// Source: §2.8
test('what is paid out names an account by numbers whose leading characters are X, when shown and when notified', async () => {
  const sandbox = testSandbox({ readings: { 'withdraw-kind': 'realtime' } })
  for (const object_type of notifiedTypes)
    await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type })
  const ok = async (method: string, path: string, body: object) =>
    (await sandbox.call(method, path, body)).body
  const { users: buyer } = await ok('POST', '/users', USER)
  const { users: seller } = await ok('POST', '/users', USER)
  const sale = { name: 'Table', amount: 12_500, buyer_id: buyer.id, seller_id: seller.id }
  const { items: item } = await ok('POST', '/items', sale)
  const { card_accounts: card } = await ok('POST', '/card_accounts', { user_id: buyer.id, ...CARD })
  await ok('PATCH', `/items/${item.id}/make_payment`, { account_id: card.id })
  const { bank_accounts: bank } = await ok('POST', '/bank_accounts', { user_id: seller.id, ...BANK })
  const wallet = sandbox.store.accountId(seller.id, 'wallet') ?? ''
  await sandbox.idle()

  const withdrawal = { account_id: bank.id, amount: 5_000 }
  const payout = await ok('POST', `/wallet_accounts/${wallet}/withdraw`, withdrawal)
  await sandbox.idle()

  expect(payout).toMatchObject({ disbursements: { amount: 5_000 } })
  const shown = (await sandbox.call('GET', `/disbursements/${payout.disbursements.id}`)).body
  const notified = sandbox.transport.messages
    .map(({ body }) => JSON.parse(Buffer.from(body).toString()))
    .find((body) => 'disbursements' in body)
  const masked = { bank_account_number: 'XXXXXX567', bank_routing_number: 'XXX123' }
  const numbers = expect.objectContaining({ disbursements: expect.objectContaining(masked) })
  expect([payout, shown, notified]).toEqual([numbers, numbers, numbers])
  expect(bank.bank).toMatchObject({ account_number: 'XXXXXX567', routing_number: 'XXX123' })
})

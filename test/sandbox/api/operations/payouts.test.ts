import { expect, test } from 'vitest'
import { BANK, NEVE, type Platform, platform } from '../../../support/platform.ts'

/** A seller with 12,000 in the wallet, and a bank account. */
async function openWallet(service: Platform) {
  const { users: seller } = await service.ok('POST', '/users', NEVE)
  const { bank_accounts: bank } = await service.ok('POST', '/bank_accounts', { user_id: seller.id, ...BANK })
  await service.control('POST', '/payments', { kind: 'npp-payin', user: seller.id, amount: 12_000 })
  await service.idle()
  const { wallet_accounts } = await service.ok('GET', `/users/${seller.id}/wallet_accounts`)
  const wallet: string = wallet_accounts.id
  const payOut = (operation = 'withdraw') =>
    service.ok('POST', `/wallet_accounts/${wallet}/${operation}`, { account_id: bank.id, amount: 5_000 })
  return { seller, bank, wallet, payOut }
}

test.each(['direct-credit', 'realtime'])('%s payouts create a disbursement', async (kind) => {
  const service = await platform({ 'withdraw-kind': kind, settlement: 'by-simulation' })
  const { bank, wallet } = await openWallet(service)
  const payOut = (operation: string, account_id: string, amount: number) =>
    service.call('POST', `/wallet_accounts/${wallet}/${operation}`, { account_id, amount })

  const payout = await payOut('withdraw', bank.id, 5_000)
  const bill = await payOut('bill_payment', 'bpay-1', 500)
  const tooMuch = await payOut('withdraw', bank.id, 99_999)

  const state = { state: 'bank_processing', npp_payout_state: 'trying' }
  const numbers = { bank_account_number: 'XXXXXX567', bank_routing_number: 'XXX123' }
  expect([payout, bill]).toMatchObject([
    { status: 201, body: { disbursements: { ...state, ...numbers, amount: 5_000, to: 'Bank Account' } } },
    { status: 201, body: { disbursements: { ...state, amount: 500, to: 'BPAY Account' } } },
  ])
  for (const { body } of [payout, bill])
    expect(await service.ok('GET', `/disbursements/${body.disbursements.id}`)).toEqual(body)
  expect(tooMuch.status).toBe(422)
  expect(tooMuch.body).toEqual({ errors: { amount: ['is more than the wallet balance of 6500'] } })
  expect((await service.ok('GET', `/accounts/${wallet}`)).accounts.amount).toBe(6_500)
})

test.each([
  ['withdraw', 'id', ['batched', 'bank_processing', 'successful']],
  ['bill_payment', 'uuid', ['bank_processing', 'successful']],
])('the notifications of %s contain the id of the disbursement and end with its state', async (...row) => {
  const [operation, field, states] = row
  const service = await platform()
  const { payOut } = await openWallet(service)
  const before = service.posted().length
  const { disbursements } = await payOut(operation)
  const path = `/batches/${disbursements.batch_id}/transaction_states`
  for (const state of operation === 'withdraw' ? [12_700, 12_000] : [12_000])
    await service.ok('PATCH', path, { exported_ids: [disbursements.id], state })

  const notified = service.bodies().slice(before)
  const { disbursements: ended } = await service.ok('GET', `/disbursements/${disbursements.id}`)

  expect(notified.map(({ batch_transactions: batch }) => [batch[field], batch.state])).toEqual(
    states.map((state) => [disbursements.id, state]),
  )
  expect(ended).toMatchObject({ state: 'successful', npp_payout_state: 'successful' })
  expect(ended.partner_payment_transaction_id).toBe(
    notified.at(-1)?.batch_transactions.partner_payment_transaction_id,
  )
})

test('a rejected payout cancels its disbursement and sends its notification when the reading "accompanying-notifications" is "all"', async () => {
  const service = await platform({ 'accompanying-notifications': 'all' })
  const { payOut } = await openWallet(service)
  const before = service.posted().length
  const { disbursements } = await payOut()
  const move = (to: string) =>
    service.control('POST', `/objects/batch_transactions/${disbursements.id}/transitions`, { to })
  await move('bank_processing')
  await move('invalid_account_details')
  await service.idle()

  expect((await service.ok('GET', `/disbursements/${disbursements.id}`)).disbursements).toMatchObject({
    state: 'cancelled',
    npp_payout_state: 'failed',
  })
  expect(service.posted().slice(before).toSorted()).toEqual([
    'batch_transactions bank_processing',
    'batch_transactions batched',
    'batch_transactions invalid_account_details',
    'disbursements bank_processing',
    'disbursements cancelled',
  ])
})

test('a disbursement changes state only with its batch transaction', async () => {
  const service = await platform()
  const { payOut } = await openWallet(service)
  const { disbursements } = await payOut()
  const path = `/objects/disbursements/${disbursements.id}`

  const moved = await service.control('POST', `${path}/transitions`, { to: 'successful' })
  const changed = await service.control('PATCH', path, { state: 'cancelled' })
  const renamed = await service.control('PATCH', path, { bank_name: 'Bank of Tests' })
  const described = await service.control('GET', `${path}/description`)

  expect([moved.status, changed.status, renamed.status]).toEqual([409, 409, 200])
  expect(moved.body.error.message).toContain('the disbursement follows its batch transaction')
  expect([described.body.next, described.body.payment_id]).toEqual([[], service.store.paymentAt(1)?.id])
})

test.each(['withdraw', 'bill_payment'])('%s rejects the account of another user', async (operation) => {
  const service = await platform()
  const { wallet } = await openWallet(service)
  const stranger = await openWallet(service)
  const before = service.store.length

  const answer = await service.call('POST', `/wallet_accounts/${wallet}/${operation}`, {
    account_id: stranger.bank.id,
    amount: 500,
  })

  expect(answer).toEqual({
    status: 422,
    body: { errors: { account_id: ['does not belong to the owner of the wallet'] } },
  })
  expect(service.store.length).toBe(before)
})

test('a withdrawal accepts an account that has no owner', async () => {
  const service = await platform()
  const { wallet } = await openWallet(service)
  const { body: bank } = await service.control('POST', '/objects/accounts', { account_type_id: 9100 })

  const { status } = await service.call('POST', `/wallet_accounts/${wallet}/withdraw`, {
    account_id: bank.id,
    amount: 500,
  })

  expect(status).toBe(201)
})

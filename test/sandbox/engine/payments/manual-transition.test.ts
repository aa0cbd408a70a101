import { beforeEach, expect, test } from 'vitest'
import type { ObjectRecord, Payment } from '../../../../spec/generated/control-types.ts'
import { testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

const BATCH = 'batch_transactions'

let sandbox: TestSandbox

beforeEach(() => {
  sandbox = testSandbox()
})

async function control<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const { body: answered } = await sandbox.control(method, path, body)
  await sandbox.idle()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the response is already validated against the spec
  return answered as Body
}

function play(kind: string, more: object = {}): Promise<Payment> {
  return control('POST', '/payments', { kind, pace: 'stepwise', ...more })
}

function next({ id }: Payment): Promise<Payment> {
  return control('POST', `/payments/${id}/next`)
}

function change(type: string, id: string, fields: object): Promise<ObjectRecord> {
  return control('PATCH', `/objects/${type}/${id}`, fields)
}

function idOf({ objects }: Payment, type: string, role = ''): string {
  const found = objects.find((object) => object.object_type === type && object.role.startsWith(role))
  if (!found) throw new Error(`${role} is not in ${JSON.stringify(objects)}`)
  return found.id
}

function item(payment: Payment) {
  return sandbox.store.object('items', idOf(payment, 'items'))?.body
}

function wallet(payment: Payment, role = 'wallet_account') {
  return sandbox.store.object('accounts', idOf(payment, 'accounts', role))?.body.amount
}

test('a direct debit resets its item and ends its payment when the control API sets the debit to failed', async () => {
  const payment = await play('direct-debit-payin')
  await next(payment)

  await change(BATCH, idOf(payment, BATCH), { state: 'failed_direct_debit' })

  expect(item(payment)).toMatchObject({ state: 'payment_required', batch_state: 'failed_direct_debit' })
  expect(await control('GET', `/payments/${payment.id}`)).toMatchObject({ step: 3, steps: 3 })
  expect(await sandbox.control('POST', `/payments/${payment.id}/next`)).toMatchObject({ status: 409 })
})

test('a payment advances by one step when the control API moves its direct debit', async () => {
  const payment = await play('direct-debit-payin')

  await change(BATCH, idOf(payment, BATCH), { state: 'bank_processing' })
  expect(await control('GET', `/payments/${payment.id}`)).toMatchObject({ step: 2 })
  await next(payment)

  expect(item(payment)).toMatchObject({ state: 'payment_deposited', batch_state: 'successful' })
})

test('a payout returns to the wallet when the control API rejects the payout', async () => {
  const payment = await play('direct-credit-payout', { amount: 400 })
  const before = wallet(payment)
  await next(payment)

  await change(BATCH, idOf(payment, BATCH), { state: 'invalid_account_details' })

  expect([before, wallet(payment)]).toEqual([0, 400])
})

test('the activation of a virtual account stays failed after the control API sets the account to failed', async () => {
  const payment = await play('virtual-account-activation')
  const id = idOf(payment, 'virtual_accounts')

  const changed = await change('virtual_accounts', id, { status: 'activation_failed' })

  expect(changed.object).toMatchObject({ status: 'activation_failed' })
  expect(await sandbox.control('POST', `/payments/${payment.id}/next`)).toMatchObject({ status: 409 })
  expect(sandbox.store.object('virtual_accounts', id)?.body.status).toBe('activation_failed')
})

test('an item that is paid from a wallet debits the wallet', async () => {
  const payment = await play('wallet-to-item-transfer', { amount: 600 })

  expect([item(payment)?.state, wallet(payment, 'buyer_wallet')]).toEqual(['payment_deposited', 0])
})

test('a new item of a payment names its buyer and its seller', async () => {
  const payment = await play('card-payin')
  const [buyer, seller] = ['buyer', 'seller'].map(
    (role) => sandbox.store.object('users', idOf(payment, 'users', role))?.body,
  )

  expect(item(payment)).toMatchObject({
    buyer_name: buyer?.full_name,
    seller_email: seller?.email,
    related: { buyers: buyer?.id, sellers: seller?.id },
  })
  expect(buyer?.full_name).not.toBe(seller?.full_name)
})

test('a payment pays the user that the request names', async () => {
  const { body } = await sandbox.control('POST', '/objects/users', {})

  const payment = await play('card-payin', { user: body.id })

  expect(item(payment)?.related.sellers).toBe(body.id)
})

async function refusalOf(payment: object): Promise<string> {
  const { status, body } = await sandbox.control('POST', '/payments', payment)
  expect(status).toBe(422)
  return body.error.message
}

test('a payment is rejected when the user does not sell the item', async () => {
  const { body: other } = await sandbox.control('POST', '/objects/items', {})
  const { body: user } = await sandbox.control('POST', '/objects/users', {})

  const refused = await refusalOf({ kind: 'card-payin', item: other.id, user: user.id })

  expect(refused).toContain(`Cannot pay user "${user.id}" with item`)
})

test('a payment is rejected when its amount differs from the price', async () => {
  const { body } = await sandbox.control('POST', '/objects/items', { amount: 1000 })

  expect(await refusalOf({ kind: 'card-payin', item: body.id, amount: 5 })).toContain('the item costs 1000')
})

test('a payout is rejected when the wallet has too little money', async () => {
  const { body: user } = await sandbox.control('POST', '/objects/users', {})
  await control('POST', '/payments', { kind: 'npp-payin', user: user.id, amount: 500 })

  const refused = await refusalOf({ kind: 'direct-credit-payout', user: user.id, amount: 501 })

  expect(refused).toContain('the wallet holds 500')
})

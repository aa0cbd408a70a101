import { expect, test } from 'vitest'
import { notifiedTypes } from '../../../../spec/notifications.ts'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'

const OWN_FIELDS = [
  'name',
  'legal_name',
  'tax_number',
  'phone',
  'email',
  'reference',
  'deposit_reference',
  'batch_id',
  'user_id',
  'account_id',
  'account_number',
  'bank_account_number',
  'legal_entity_id',
  'user_external_id',
  'wallet_account_id',
]

const KINDS = [
  ['transactions', 'deposit', 'bpay'],
  ['transactions', 'deposit', 'npp_payin'],
  ['transactions', 'deposit', 'direct_credit'],
  ['transactions', 'payment', 'credit_card'],
  ['transactions', 'payment', 'wallet_account_transfer'],
  ['transactions', 'disbursement', 'direct_credit'],
  ['batch_transactions', 'disbursement', 'direct_credit'],
  ['batch_transactions', 'disbursement', 'bpay'],
  ['batch_transactions', 'payment', 'direct_debit'],
  ['batch_transactions', 'payment_funding', 'credit_card'],
  ['batch_transactions', 'bpay', 'bpay'],
] as const

test.each(KINDS)('what %s %s %s names is there to be asked for', async (object_type, type, type_method) => {
  const sandbox = testSandbox()
  await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'items' })
  await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'users' })

  const { status, body } = await sandbox.control('POST', `/objects/${object_type}`, { type, type_method })
  await sandbox.idle()

  const { object } = body
  const account = object.account_type === 'item' ? 'items' : 'accounts'
  const paths = [`/users/${object.user_id}`, `/${account}/${object.account_id}`]
  const shown = await Promise.all(paths.map((path) => sandbox.call('GET', path)))
  expect([status, ...shown.map((answer) => answer.status)]).toEqual([201, 200, 200])
  const other = object.related.account_to ?? object.related.transactions[0]
  if (object_type === 'transactions') expect(other.id).toBe(object.id)
  expect((await sandbox.call('GET', `/users/${other.user_id}`)).status).toBe(200)
  // Only the two test messages of the registrations were sent.
  expect([sandbox.transport.messages.length, sandbox.errors]).toEqual([2, []])
})

test('the wallet and the user of a created virtual account are there', async () => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', '/objects/virtual_accounts', {})

  const { user_external_id, wallet_account_id } = body.object
  const shown = [`/users/${user_external_id}`, `/accounts/${wallet_account_id}`]
  const answers = await Promise.all(shown.map((path) => sandbox.call('GET', path)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})

test.each(notifiedTypes)('two %s that are created have nothing in common that is their own', async (type) => {
  const sandbox = testSandbox()
  const create = async () => (await sandbox.control('POST', `/objects/${type}`, {})).body.object

  const [first, second] = [await create(), await create()]

  const alike = OWN_FIELDS.filter((field) => first[field] !== null && first[field] === second[field])
  expect(alike.filter((field) => first[field] !== undefined)).toEqual([])
})

test('a created realtime payout goes to a bank account of somebody who is there', async () => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', '/objects/disbursements', { bank_name: 'Mine' })

  const owners = [...sandbox.store.objectIds('users')].map(
    (id) => sandbox.store.object('users', id)?.body.full_name,
  )
  expect([body.object.bank_name, owners]).toEqual(['Mine', [body.object.bank_account_name]])
})

test('the user of a created company is there', async () => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', '/objects/companies', {})

  expect((await sandbox.call('GET', `/users/${body.object.related.users}`)).status).toBe(200)
})

test('a party that is given is left as it is', async () => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', '/objects/transactions', { user_id: 'ada' })

  expect(body.object.user_id).toBe('ada')
  expect([...sandbox.store.objectIds('users')]).toEqual([])
})

test('a payout of a user that is given is created whatever their wallet holds', async () => {
  const sandbox = testSandbox()
  const { body: user } = await sandbox.control('POST', '/objects/users', {})
  const fields = { type: 'disbursement', type_method: 'direct_credit', user_id: user.id }

  const { status, body } = await sandbox.control('POST', '/objects/batch_transactions', fields)

  expect([status, body.object.user_id]).toEqual([201, user.id])
})

test('the wallet of a user that is given is the account of a created deposit', async () => {
  const sandbox = testSandbox()
  const { body: user } = await sandbox.control('POST', '/objects/users', {})

  const { body } = await sandbox.control('POST', '/objects/transactions', { user_id: user.id })

  const { user_id, user_name, account_id } = body.object
  expect([user_id, user_name]).toEqual([user.id, user.object.full_name])
  expect(sandbox.store.accountOwner(account_id)?.user_id).toBe(user.id)
})

import { expect, test } from 'vitest'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'

interface ObjectRow {
  readonly role: string
  readonly object_type: string
  readonly id: string
}

type Sandbox = ReturnType<typeof testSandbox>

async function play(sandbox: Sandbox, kind: string) {
  const { body } = await sandbox.control('POST', '/payments', { kind })
  await sandbox.idle()
  const shown = async ({ object_type, id }: ObjectRow) =>
    (await sandbox.control('GET', `/objects/${object_type}/${id}`)).body.object
  const find = async (wanted: string) => {
    const row = body.objects.find(({ role }: ObjectRow) => role.startsWith(wanted))
    return row === undefined ? undefined : shown(row)
  }
  const objects = await Promise.all(body.objects.map(shown))
  return { objects, find }
}

test.each(['card-payin', 'direct-debit-payin'])(
  'the batch transaction of %s has the references of the item',
  async (kind) => {
    const { find } = await play(testSandbox(), kind)

    const [batch, item] = [await find('batch_transactions'), await find('item')]
    expect([batch.deposit_reference, batch.reference]).toEqual([item.deposit_reference, item.name])
  },
)

test('a BPAY payout has the fields of its payee', async () => {
  const { find } = await play(testSandbox(), 'bpay-payout')

  const [batch, payee, wallet] = [
    await find('batch_transactions'),
    await find('seller'),
    await find('wallet_account'),
  ]
  expect(batch).toMatchObject({
    user_id: payee.id,
    user_email: payee.email,
    first_name: payee.first_name,
    last_name: payee.last_name,
    phone: payee.phone,
    legal_entity_id: String(wallet.legal_entity_id),
  })
})

test('a realtime payout goes to the bank account of the payee', async () => {
  const { find } = await play(testSandbox(), 'realtime-payout')

  const [disbursement, payee] = [await find('disbursements'), await find('seller')]
  expect(disbursement.bank_account_name).toBe(payee.full_name)
})

test('the accounts of a user belong to one legal entity', async () => {
  const { find } = await play(testSandbox(), 'direct-credit-payout')

  const [wallet, bank] = [await find('wallet_account'), await find('bank_account')]
  expect(wallet.legal_entity_id).toBe(bank.legal_entity_id)
})

async function played(body: Record<string, unknown>) {
  const sandbox = testSandbox()
  await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'transactions' })
  const { status, body: payment } = await sandbox.control('POST', '/payments', { kind: 'npp-payin', ...body })
  await sandbox.idle()
  const [, message] = sandbox.transport.messages.map(({ body: sent }) =>
    JSON.parse(Buffer.from(sent).toString()),
  )
  const { user_id } = message.transactions
  const { body: shown } = await sandbox.call('GET', `/users/${user_id}`)
  return { status, payment, transaction: message.transactions, payee: shown.users, errors: sandbox.errors }
}

test.each([[{}], [{ via: 'pay-id' }]])('NPP pay-ins with %j go to the PayID of the payee', async (body) => {
  const { payment, transaction, payee, errors } = await played(body)

  expect([payment.via, errors]).toEqual(['pay-id', []])
  expect(transaction.payin_details).toMatchObject({ pay_id: payee.email, pay_id_type: '/EMAL' })
  expect(transaction.links.npp_payin_transaction_detail).toBe(
    `/transactions/${transaction.id}/npp_payin_transaction_detail`,
  )
  expect(transaction.links).not.toHaveProperty('supplementary_data')
})

test('an NPP pay-in with a CRN has the CRN in the remittance information', async () => {
  const { payment, transaction, errors } = await played({ via: 'crn' })

  const { pay_id, pay_id_type, remittance_information, end_to_end_id } = transaction.payin_details
  expect([payment.via, errors, pay_id, pay_id_type]).toEqual(['crn', [], null, null])
  expect(remittance_information).toBe(`CRN ${end_to_end_id}`)
  expect(transaction.links.npp_payin_transaction_detail).not.toBeNull()
  expect(transaction.links).not.toHaveProperty('supplementary_data')
})

test('an NPP pay-in to a virtual account has supplementary data and no details', async () => {
  const { payment, transaction, errors } = await played({ via: 'virtual-account' })

  expect([payment.via, errors, transaction.payin_details]).toEqual(['virtual-account', [], null])
  expect(transaction.links).toMatchObject({
    npp_payin_transaction_detail: null,
    supplementary_data: `/transactions/${transaction.id}/supplementary_data`,
  })
})

test.each([
  ['npp-payin', 'carrier-pigeon', /pay-id, crn, virtual-account/],
  ['card-payin', 'crn', /has only one route/],
])('a payment of %s via %s is rejected', async (kind, via, message) => {
  const { status, body } = await testSandbox().control('POST', '/payments', { kind, via })

  expect([status, body.error.field]).toEqual([422, 'via'])
  expect(body.error.message).toMatch(message)
})

test.each([
  [{}, { pay_id_type: '/EMAL' }],
  [
    { payin_details: { pay_id: '+61491570156', pay_id_type: '/TELI' } },
    { pay_id: '+61491570156', pay_id_type: '/TELI' },
  ],
  [{ payin_details: { pay_id: null } }, { pay_id: null, pay_id_type: null }],
  [{ payin_details: null }, null],
])('a created NPP pay-in with %j has the fields of its payment form', async (fields, details) => {
  const type = { type: 'deposit', type_method: 'npp_payin' }
  const { status, body } = await testSandbox().control('POST', '/objects/transactions', {
    ...type,
    ...fields,
  })

  expect(status).toBe(201)
  if (details === null) expect(body.object.payin_details).toBeNull()
  else expect(body.object.payin_details).toMatchObject(details)
  expect('supplementary_data' in body.object.links).toBe(details === null)
  expect(body.object.links.npp_payin_transaction_detail === null).toBe(details === null)
})

import { expect, test } from 'vitest'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'

const PAYOUT = { type: 'disbursement', type_method: 'direct_credit' }

/** Pairs as the document has them, and those that are our reading of it: items but pending, batched. Source: §2.5, §3 */
const CHANGES = [
  ['items', {}, { state: 'refunded' }, { status: 22600 }],
  ['items', { state: 'completed' }, { state: 'pending' }, { status: 22000 }],
  ['batch_transactions', PAYOUT, { state: 'bank_processing' }, { status: 12700 }],
  ['batch_transactions', { ...PAYOUT, state: 'bank_processing' }, { state: 'successful' }, { status: 12000 }],
  ['disbursements', {}, { state: 'successful' }, { npp_payout_state: 'successful' }],
  ['disbursements', {}, { state: 'cancelled' }, { npp_payout_state: 'failed' }],
] as const

test.each(CHANGES)('of %s made with %j, %j sets %j', async (...[type, fields, change, follows]) => {
  const { control } = testSandbox()
  const { body } = await control('POST', `/objects/${type}`, fields)

  const changed = await control('PATCH', `/objects/${type}/${body.id}`, change)

  expect(changed.body.object).toMatchObject({ ...change, ...follows })
})

const UNFIT = [
  ['items', { state: 'refunded' }, { status: 22500 }, 'status', '22500', '"state" is "refunded"', '22600'],
  ['items', {}, { state: 'completed', status: 22600 }, 'status', '22600', '"state" is "completed"', '22500'],
  ['batch_transactions', PAYOUT, { status: 12000 }, 'status', '12000', '"state" is "batched"', '12200'],
  [
    'disbursements',
    {},
    { npp_payout_state: 'failed' },
    'npp_payout_state',
    '"failed"',
    '"state" is "bank_processing"',
    '"trying"',
  ],
  [
    'disbursements',
    {},
    { partner_payment_transaction_id: 'PPT-1' },
    'partner_payment_transaction_id',
    '"PPT-1"',
    '"state" is "bank_processing"',
    'null',
  ],
] as const

test.each(UNFIT)(
  'of %s made with %j, %j is refused and changes nothing',
  async (...[type, fields, change, field, value, where, takes]) => {
    const sandbox = testSandbox()
    await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: type })
    const { body: made } = await sandbox.control('POST', `/objects/${type}`, fields)

    const { status, body } = await sandbox.control('PATCH', `/objects/${type}/${made.id}`, change)

    expect([status, body]).toEqual([
      422,
      {
        error: {
          code: 'invalid',
          field,
          message: `"${field}" cannot be ${value} where ${where}: it takes ${takes}`,
          hint: 'change "state", and what goes with it follows',
        },
      },
    ])
    const { body: after } = await sandbox.control('GET', `/objects/${type}/${made.id}`)
    expect([after.revision, after.object, sandbox.store.jobs().length]).toEqual([1, made.object, 1])
  },
)

test.each([
  ['items', { status: 22000 }],
  ['batch_transactions', { status: 12710 }],
  ['disbursements', { npp_payout_state: 'trying' }],
])('of %s, %j fits the state that it has, so that nothing changes', async (type, change) => {
  const { control } = testSandbox()
  const { body } = await control('POST', `/objects/${type}`, {})

  expect(await control('PATCH', `/objects/${type}/${body.id}`, change)).toMatchObject({
    status: 200,
    body: { revision: 1, object: body.object },
  })
})

test.each([
  ['items', { status: 22600 }, 'status'],
  ['items', { state: 'refunded', status: 22000 }, 'status'],
  ['items', { amount: -1 }, 'amount'],
  ['items', { refunded_amount: -1 }, 'refunded_amount'],
  ['batch_transactions', { ...PAYOUT, state: 'batched', status: 12000 }, 'status'],
  ['batch_transactions', { amount: -1 }, 'amount'],
  ['disbursements', { state: 'cancelled', npp_payout_state: 'successful' }, 'npp_payout_state'],
  ['transactions', { amount: -1 }, 'amount'],
])('no %s is made with %j', async (type, fields, field) => {
  const { control } = testSandbox()

  const { status, body } = await control('POST', `/objects/${type}`, fields)

  expect([status, body.error.field]).toEqual([422, field])
})

test.each(['items', 'users', 'companies', 'transactions', 'batch_transactions'])(
  'the self link of %s is null or the path of the object',
  async (type) => {
    const { control } = testSandbox()
    const { body } = await control('POST', `/objects/${type}`, {})
    const { links } = body.object
    const path = `/objects/${type}/${body.id}`
    const other = { links: { ...links, self: `/${type}/4c1a` } }

    const refused = await control('PATCH', path, other)
    const changed = await control('PATCH', path, { links: { ...links, self: null } })

    const message = `"links/self" takes "/${type}/${body.id}", not "/${type}/4c1a"`
    expect(refused).toMatchObject({ status: 422, body: { error: { field: 'links/self', message } } })
    expect(changed).toMatchObject({ status: 200, body: { object: { links: { self: null } } } })
  },
)

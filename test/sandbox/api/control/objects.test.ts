import { expect, test } from 'vitest'
import { validators } from '../../../../spec/validators.ts'
import { RECEIVER, START, testSandbox } from '../../../support/test-sandbox.ts'

test('a created item is valid with any fields omitted', async () => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('POST', '/objects/items', {
    name: 'Sofa',
    amount: 90_000,
    seller_fees: 900,
  })

  expect(status).toBe(201)
  expect(validators.Item(body.object)).toBe(true)
  expect(body.object).toMatchObject({
    name: 'Sofa',
    amount: 90_000,
    net_amount: 89_100,
    total_amount: 90_000,
    remaining_amount: 90_000,
    state: 'pending',
    status: 22000,
    created_at: new Date(START).toISOString(),
    links: { self: `/items/${body.id}` },
  })
})

test('dependent fields follow a changed field, and fitting given values stay', async () => {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.advance(START + 60_000)

  const paid = await sandbox.control('PATCH', `/objects/items/${body.id}`, { state: 'payment_deposited' })
  const odd = await sandbox.control('PATCH', `/objects/items/${body.id}`, {
    amount: 10_000,
    net_amount: 9_500,
  })

  expect(paid.body).toMatchObject({
    revision: 2,
    object: {
      status: 22200,
      updated_at: new Date(START + 60_000).toISOString(),
      created_at: new Date(START).toISOString(),
    },
  })
  expect(odd.body.object).toMatchObject({ net_amount: 9_500, total_amount: 10_000 })
})

test.each([
  [{ currency: 'dollars' }, 'currency', '"currency" cannot be "dollars": it must match'],
  [{ amount: '12' }, 'amount', '"amount" takes a whole number, not "12"'],
  [{ state: 'paid' }, 'state', ', not "paid"'],
  [{ colour: 'red' }, 'colour', 'Unknown field "colour"'],
  [{ related: { buyers: 1, sellers: 'x' } }, 'related/buyers', '"related/buyers" takes text, not 1'],
  [{ id: 'not-a-uuid' }, 'id', '"id" cannot be "not-a-uuid": it must match format "uuid"'],
  [{ id: '' }, 'id', '"id"'],
  [{ amount: 1.5 }, 'amount', '"amount" takes a whole number, not 1.5'],
])('a create with %j is rejected with the field', async (fields, field, message) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('POST', '/objects/items', fields)

  expect([status, body.error.field]).toEqual([422, field])
  expect(body.error.message).toContain(message)
  expect([sandbox.store.length, sandbox.errors]).toEqual([0, []])
})

const PAIRS = 'transactions are deposit/npp_payin, deposit/direct_credit, deposit/bpay,'

test.each([
  ['transactions', 'deposit', 'credit_card', 'type_method', PAIRS],
  ['transactions', 'refund', 'bpay', 'type', PAIRS],
  [
    'batch_transactions',
    'payment',
    'bpay',
    'type_method',
    'batch_transactions are disbursement/direct_credit,',
  ],
  ['transactions', 'x'.repeat(5_000), 'bpay', 'type', PAIRS],
])('a create of %s of type %s is refused with the pairs that fit when type_method is %s', async (...row) => {
  const [object_type, type, type_method, field, message] = row
  const sandbox = testSandbox()
  const { body: known } = await sandbox.control('POST', `/objects/${object_type}`, {
    type: 'disbursement',
    type_method: 'direct_credit',
  })

  const created = await sandbox.control('POST', `/objects/${object_type}`, { type, type_method })
  const changed = await sandbox.control('PATCH', `/objects/${object_type}/${known.id}`, { type, type_method })

  expect([created.status, changed.status]).toEqual([422, 422])
  expect(changed.body).toEqual(created.body)
  expect(created.body.error.field).toBe(field)
  expect(created.body.error.message).toContain(message)
  expect(created.body.error.message.length).toBeLessThan(500)
})

test('a user with a date as dob is rejected', async () => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('POST', '/objects/users', { dob: '1990-01-30' })

  expect([status, body.error]).toEqual([
    422,
    { code: 'invalid', field: 'dob', message: '"dob" cannot be "1990-01-30": the spec excludes it' },
  ])
})

test('an id can be given once and not changed', async () => {
  const sandbox = testSandbox()
  const id = '9a7b2f04-51c3-4d1e-8f60-2b7c9d0e1f23'
  const first = await sandbox.control('POST', '/objects/items', { id })

  const second = await sandbox.control('POST', '/objects/items', { id })
  const renamed = await sandbox.control('PATCH', `/objects/items/${id}`, { id: first.body.id })

  expect([first.status, second.status, renamed.status]).toEqual([201, 409, 422])
})

test.each([
  ['GET', '/objects/items/unknown', 404],
  ['PATCH', '/objects/items/unknown', 404],
  ['POST', '/objects/gadgets', 422],
  ['POST', '/objects/constructor', 422],
  ['POST', '/objects/items%20', 422],
])('%s %s is rejected', async (method, path, status) => {
  const sandbox = testSandbox()

  const answer = await sandbox.control(method, path, method === 'GET' ? undefined : {})

  expect(answer.status).toBe(status)
  expect(answer.body.error.message).toMatch(/^Cannot (find|use)/)
})

test('the buyer and the seller of a created item can be shown and notify nothing', async () => {
  const sandbox = testSandbox()
  const { body: webhook } = await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'users' })
  const { body } = await sandbox.control('POST', '/objects/items', { buyer_name: 'Ines de la Cruz' })

  const { body: shown } = await sandbox.call('GET', `/users/${body.object.related.buyers}`)
  const { body: jobs } = await sandbox.call('GET', `/webhooks/${webhook.uuid}/jobs`)

  expect(shown.users).toMatchObject({ full_name: 'Ines de la Cruz', email: body.object.buyer_email })
  expect(jobs.jobs).toEqual([])
})

test('enabling an enabled account changes nothing', async () => {
  const sandbox = testSandbox()
  const { body: user } = await sandbox.call('POST', '/users', {
    first_name: 'Ada',
    last_name: 'Whitlock',
    email: 'ada@example.test',
    country: 'AUS',
  })
  const [wallet = ''] = sandbox.store.objectIds('accounts')
  const revisions = []
  for (const enabled of [true, false, false, true]) {
    const { body } = await sandbox.control('PATCH', `/objects/accounts/${wallet}`, { enabled })
    revisions.push(body.revision)
  }

  expect([user.users.full_name, revisions]).toEqual(['Ada Whitlock', [1, 2, 2, 3]])
})

test('an unknown id suggests the list of objects', async () => {
  const { status, body } = await testSandbox().control('GET', '/objects/items/xyz')

  expect([status, body.error.hint, body.error.command]).toEqual([404, 'list them', 'objects items'])
})

/** As in tables. */
const short = (id: string) => `${id.slice(0, 8)}…`

test('a short id finds the only job, object, payment, fault or delivery with that beginning', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 204 : 503) })
  const registration = await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('POST', '/clock/advance', { by: '0s' })
  const { body: played } = await sandbox.control('POST', '/payments', {
    kind: 'card-payin',
    item: short(item.id),
    pace: 'stepwise',
  })
  const fault = { on: 'delivery', kind: 'duplicate', match: { object_id: 'x' } }
  const { body: added } = await sandbox.control('POST', '/faults', fault)
  const { body: delivered } = await sandbox.control('POST', '/deliveries', {
    registration: short(registration),
    raw: '',
  })
  const { body: listed } = await sandbox.control(
    'GET',
    `/jobs?object_id=${encodeURIComponent(short(item.id))}`,
  )
  const [job] = listed.jobs
  const ask = async (method: string, path: string, body?: unknown) =>
    (await sandbox.control(method, encodeURI(path), body)).body

  expect(played.objects).toContainEqual(expect.objectContaining({ role: 'item', id: item.id }))
  expect(delivered.registration_id).toBe(registration)
  expect(job.object_id).toBe(item.id)
  expect((await ask('GET', `/jobs/${job.id.slice(0, 8)}`)).job.id).toBe(job.id)
  expect((await ask('GET', `/jobs/${short(job.id)}`)).job.id).toBe(job.id)
  expect((await ask('POST', `/jobs/${short(job.id)}/resend`)).job.id).toBe(job.id)
  expect((await ask('GET', `/objects/items/${short(item.id)}`)).id).toBe(item.id)
  expect((await ask('PATCH', `/objects/items/${short(item.id)}`, { name: 'New' })).id).toBe(item.id)
  expect((await ask('POST', `/objects/items/${short(item.id)}/transitions`, { to: 'completed' })).id).toBe(
    item.id,
  )
  expect((await ask('GET', `/payments/${short(played.id)}`)).id).toBe(played.id)
  expect((await ask('POST', `/payments/${short(played.id)}/next`)).id).toBe(played.id)
  expect((await ask('GET', `/deliveries/${short(delivered.id)}`)).id).toBe(delivered.id)
  expect((await ask('DELETE', `/faults/${short(added.id)}`)).id).toBe(added.id)
})

test('an ambiguous short id is rejected with all matches, and three characters never match', async () => {
  const sandbox = testSandbox()
  for (const id of ['buyer-1', 'buyer-10', 'buyer-2']) await sandbox.control('POST', '/objects/users', { id })

  const several = await sandbox.control('GET', '/objects/users/buyer')
  const exact = await sandbox.control('GET', '/objects/users/buyer-1')
  const tooShort = await sandbox.control('GET', '/objects/users/buy')

  expect(several).toEqual({
    status: 409,
    body: {
      error: {
        code: 'ambiguous_id',
        field: 'id',
        message: 'Cannot tell which is meant by "buyer": buyer-1, buyer-10 and buyer-2 begin so',
        hint: 'give more of its characters',
      },
    },
  })
  expect(exact.body.id).toBe('buyer-1')
  expect(tooShort.status).toBe(404)
})

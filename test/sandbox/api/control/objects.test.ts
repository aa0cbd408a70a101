import { expect, test } from 'vitest'
import { validators } from '../../../../spec/validators.ts'
import { RECEIVER, sandboxWithJob, START, testSandbox } from '../../../support/test-sandbox.ts'

test('a created item is valid when fields are omitted', async () => {
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

test('a change to an item updates the dependent fields, except those with a given value', async () => {
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
  ['items', { currency: 'dollars' }, 'currency', '"currency" cannot be "dollars": it must match'],
  ['items', { amount: '12' }, 'amount', '"amount" takes a whole number, not "12"'],
  ['items', { colour: 'red' }, 'colour', 'Unknown field "colour"'],
  ['items', { related: { buyers: 1, sellers: 'x' } }, 'related/buyers', '"related/buyers" takes text, not 1'],
  ['users', { dob: '1990-01-30' }, 'dob', '"dob" cannot be "1990-01-30": the spec excludes it'],
  ['items', { id: 'not-a-uuid' }, 'id', '"id" cannot be "not-a-uuid": it must match format "uuid"'],
])('%s with %j are rejected, and the error names the field %s', async (...[type, fields, field, message]) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('POST', `/objects/${type}`, fields)

  expect([status, body.error.field]).toEqual([422, field])
  expect(body.error.message).toContain(message)
  expect([sandbox.store.length, sandbox.errors]).toEqual([0, []])
})

const PAIRS = 'transactions are deposit/npp_payin, deposit/direct_credit, deposit/bpay,'

test.each([
  ['transactions', 'deposit', 'credit_card', 'type_method', PAIRS],
  ['batch_transactions', 'payment', 'bpay', 'type_method', 'batch_transactions are disbursement/direct_'],
  ['transactions', 'x'.repeat(5_000), 'bpay', 'type', PAIRS],
])('%s of type %s are rejected with a list of the valid pairs when type_method is %s', async (...row) => {
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

test('a specified item ID is accepted only once, and the ID of an item cannot change', async () => {
  const sandbox = testSandbox()
  const id = '9a7b2f04-51c3-4d1e-8f60-2b7c9d0e1f23'
  const first = await sandbox.control('POST', '/objects/items', { id })

  const second = await sandbox.control('POST', '/objects/items', { id })
  const renamed = await sandbox.control('PATCH', `/objects/items/${id}`, { id: first.body.id })

  expect([first.status, second.status, renamed.status]).toEqual([201, 409, 422])
})

test.each([
  ['GET', '/objects/items/unknown', 404],
  ['POST', '/objects/gadgets', 422],
  ['POST', '/objects/constructor', 422],
])('the request %s %s is rejected with the reason', async (method, path, status) => {
  const sandbox = testSandbox()

  const answer = await sandbox.control(method, path, method === 'GET' ? undefined : {})

  expect(answer.status).toBe(status)
  expect(answer.body.error.message).toMatch(/^Cannot (find|use)/)
})

test('the buyer and the seller of a created item exist and cause no notification', async () => {
  const sandbox = testSandbox()
  const { body: webhook } = await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'users' })
  const { body } = await sandbox.control('POST', '/objects/items', { buyer_name: 'Ines de la Cruz' })

  const { body: shown } = await sandbox.call('GET', `/users/${body.object.related.buyers}`)
  const { body: jobs } = await sandbox.call('GET', `/webhooks/${webhook.uuid}/jobs`)

  expect(shown.users).toMatchObject({ full_name: 'Ines de la Cruz', email: body.object.buyer_email })
  expect(jobs.jobs).toEqual([])
})

test('an account keeps its revision when its enabled status stays the same', async () => {
  const sandbox = testSandbox()
  await sandbox.control('POST', '/objects/users', {})
  const [wallet = ''] = sandbox.store.objectIds('accounts')
  const revisions = []
  for (const enabled of [true, false, false, true]) {
    const { body } = await sandbox.control('PATCH', `/objects/accounts/${wallet}`, { enabled })
    revisions.push(body.revision)
  }

  expect(revisions).toEqual([1, 2, 2, 3])
})

/** Shortens an ID as the tables of the command line do. */
const short = (id: string) => `${id.slice(0, 8)}…`

test('a short ID finds the only job, object, payment, fault or delivery with that prefix', async () => {
  const { control, registration, item, job } = await sandboxWithJob(() => 503)
  const ask = async (method: string, path: string, body?: unknown) =>
    (await control(method, encodeURI(path), body)).body
  const played = await ask('POST', '/payments', { kind: 'card-payin', item: short(item), pace: 'stepwise' })
  const fault = { on: 'delivery', kind: 'duplicate', match: { object_id: 'x' } }
  const added = await ask('POST', '/faults', fault)
  const delivered = await ask('POST', '/deliveries', { registration: short(registration), raw: '' })

  expect(played.objects).toContainEqual(expect.objectContaining({ role: 'item', id: item }))
  expect(delivered.registration_id).toBe(registration)
  expect((await ask('GET', `/jobs?object_id=${short(item)}`)).jobs[0].object_id).toBe(item)
  expect((await ask('GET', `/jobs/${job.slice(0, 8)}`)).job.id).toBe(job)
  expect((await ask('GET', `/jobs/${short(job)}`)).job.id).toBe(job)
  expect((await ask('POST', `/jobs/${short(job)}/resend`)).job.id).toBe(job)
  expect((await ask('GET', `/objects/items/${short(item)}`)).id).toBe(item)
  expect((await ask('PATCH', `/objects/items/${short(item)}`, { name: 'New' })).id).toBe(item)
  expect((await ask('POST', `/objects/items/${short(item)}/transitions`, { to: 'completed' })).id).toBe(item)
  expect((await ask('GET', `/payments/${short(played.id)}`)).id).toBe(played.id)
  expect((await ask('POST', `/payments/${short(played.id)}/next`)).id).toBe(played.id)
  expect((await ask('GET', `/deliveries/${short(delivered.id)}`)).id).toBe(delivered.id)
  expect((await ask('DELETE', `/faults/${short(added.id)}`)).id).toBe(added.id)
})

test('an ambiguous short id is rejected with all matches, and a short id of three characters finds nothing', async () => {
  const sandbox = testSandbox()
  for (const id of ['buyer-1', 'buyer-10', 'buyer-2']) await sandbox.control('POST', '/objects/users', { id })

  const several = await sandbox.control('GET', '/objects/users/buyer')
  const exact = await sandbox.control('GET', '/objects/users/buyer-1')
  const tooShort = await sandbox.control('GET', '/objects/users/buy')

  expect([several.status, several.body.error.code]).toEqual([409, 'ambiguous_id'])
  expect(several.body.error.message).toContain('buyer-1, buyer-10 and buyer-2')
  expect(exact.body.id).toBe('buyer-1')
  expect(tooShort.status).toBe(404)
})

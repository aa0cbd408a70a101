import { expect, test } from 'vitest'
import { LIFECYCLES } from '../../../../spec/generated/lifecycles.ts'
import {
  makeItems,
  RECEIVER,
  registeredSandbox,
  START,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'

async function made(sandbox: TestSandbox, type: string, fields: object = {}): Promise<string> {
  const { status, body } = await sandbox.control('POST', `/objects/${type}`, fields)
  if (status !== 201) throw new Error(`Cannot make ${type}: ${JSON.stringify(body)}`)
  return body.id
}

const move = (sandbox: TestSandbox, object: string, to: unknown) =>
  sandbox.control('POST', `/objects/${object}/transitions`, { to })

const DIRECT_CREDIT = { type: 'disbursement', type_method: 'direct_credit', state: 'batched' }

const PROCESSING = { ...DIRECT_CREDIT, state: 'bank_processing' }

const DIRECT_DEBIT = { type: 'payment', type_method: 'direct_debit', state: 'bank_processing' }

test.each([
  [
    'batch_transactions',
    DIRECT_DEBIT,
    'failed_direct_debit',
    { state: 'failed_direct_debit', status: 12370 },
  ],
  ['disbursements', { state: 'bank_processing' }, 'successful', { npp_payout_state: 'successful' }],
  ['disbursements', { state: 'bank_processing' }, 'cancelled', { npp_payout_state: 'failed' }],
  ['virtual_accounts', {}, 'active', { status: 'active' }],
  ['items', {}, 'completed', { state: 'completed', status: 22500 }],
  ['users', {}, 'pending_check', { verification_state: 'pending_check' }],
])('%s with %j move to %s and update dependent fields', async (...row) => {
  const [type, fields, to, expected] = row
  const sandbox = testSandbox()
  const id = await made(sandbox, type, fields)

  const { status, body } = await move(sandbox, `${type}/${id}`, to)

  expect({ status, errors: sandbox.errors }).toEqual({ status: 200, errors: [] })
  expect(body).toMatchObject({ object_type: type, id, revision: 2, object: expected })
  expect((await sandbox.control('GET', `/objects/${type}/${id}`)).body.object).toEqual(body.object)
})

test.each([
  [
    'batch_transactions',
    DIRECT_CREDIT,
    'successful',
    'batched to successful: the next state is bank_processing',
  ],
  ['batch_transactions', PROCESSING, 'batched', 'the next state is successful or invalid_account_details'],
  ['disbursements', { state: 'successful' }, 'cancelled', 'is a final state'],
  ['virtual_accounts', { status: 'active' }, 'pending_activation', 'is a final state'],
])('%s with %j cannot move to %s when the move is not documented', async (...row) => {
  const [type, fields, to, message] = row
  const sandbox = testSandbox()
  const id = await made(sandbox, type, fields)
  const { length } = sandbox.store

  const { status, body } = await move(sandbox, `${type}/${id}`, to)

  expect([status, body.error.code, body.error.field]).toEqual([409, 'conflict', 'state'])
  expect(body.error.message).toContain(message)
  expect(sandbox.store.length).toBe(length)
})

test('an item moves to every listed state in any order', async () => {
  const sandbox = testSandbox()
  const id = await made(sandbox, 'items')
  const states = Object.entries(LIFECYCLES.objects.items.states).toReversed()

  const reached: unknown[] = []
  for (const [state] of states) {
    const { body } = await move(sandbox, `items/${id}`, state)
    reached.push([body.object.state, body.object.status])
  }

  expect(reached).toEqual(states.map(([state, { code }]) => [state, code]))
})

test('an item sends no notification when it moves to the state that it already has', async () => {
  const sandbox = await registeredSandbox()
  const id = await made(sandbox, 'items')

  const { status, body } = await move(sandbox, `items/${id}`, 'pending')

  expect([status, body.revision, body.notified, sandbox.store.jobs().length]).toEqual([200, 1, [], 1])
})

test.each([
  ['accounts', 'active', 'change its "state" or "enabled" instead'],
  ['companies', 'active', 'change its fields instead'],
  ['items', 'paid', 'Cannot move items to paid: the states of this type are pending, payment_required'],
  ['users', 'rejected', 'pending_check, approved_kyc_check, approved'],
])('an object of type %s cannot move to the state %s', async (type, to, message) => {
  const sandbox = testSandbox()
  const id = await made(sandbox, type)

  const { status, body } = await move(sandbox, `${type}/${id}`, to)

  expect([status, body.error.field]).toEqual([422, 'to'])
  expect(`${body.error.message}; ${body.error.hint}`).toContain(message)
})

test('a state change sends notifications in both generations and lists the notifications in its response', async () => {
  const sandbox = testSandbox()
  const { body: webhook } = await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'items' })
  const { body: callback } = await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'items' })
  const id = await made(sandbox, 'items')
  await sandbox.control('POST', '/clock/advance', { by: '1m' })

  const { body } = await move(sandbox, `items/${id}`, 'payment_deposited')
  await sandbox.idle()

  expect(body.notified).toEqual([
    { generation: 'webhooks', id: webhook.uuid, url: RECEIVER },
    { generation: 'callbacks', id: callback.callbacks.id, url: RECEIVER },
  ])
  expect(body.object.updated_at).toBe(new Date(START + 60_000).toISOString())
  expect(sandbox.store.jobs().map(({ generation, state, status }) => [generation, state, status])).toEqual([
    ['webhooks', 'pending', 'success'],
    ['callbacks', 'pending', 'success'],
    ['webhooks', 'payment_deposited', 'success'],
    ['callbacks', 'payment_deposited', 'success'],
  ])
})

async function withItems(count: number) {
  const sandbox = testSandbox()
  return { sandbox, ids: await makeItems(sandbox, count) }
}

const idsOf = (objects: readonly { readonly id: string }[]) => objects.map(({ id }) => id)

test('the object list has the newest page first, and the oldest object first on each page', async () => {
  const { sandbox, ids } = await withItems(5)

  const { body: newest } = await sandbox.control('GET', '/objects/items?limit=2')
  const { body: middle } = await sandbox.control('GET', `/objects/items?limit=2&before=${newest.before}`)
  const { body: oldest } = await sandbox.control('GET', `/objects/items?limit=2&before=${middle.before}`)

  expect([newest, middle, oldest].map(({ objects }) => idsOf(objects))).toEqual([
    ids.slice(3),
    ids.slice(1, 3),
    ids.slice(0, 1),
  ])
  expect([newest.older, middle.older, oldest.older, oldest.before]).toEqual([3, 1, 0, null])
  expect(newest.objects[0]).toEqual({
    object_type: 'items',
    id: ids[3],
    revision: 1,
    state: 'pending',
    label: expect.stringMatching(/^\w.*, [A-Z]{3} \d+\.\d\d$/),
  })
})

test('the object list filters objects by ID prefix and by state', async () => {
  const { sandbox, ids } = await withItems(3)
  await sandbox.control('POST', `/objects/items/${ids[1]}/transitions`, { to: 'completed' })

  const { body: byId } = await sandbox.control('GET', `/objects/items?id=${ids[2]}`)
  const { body: byState } = await sandbox.control('GET', '/objects/items?state=completed')
  const { body: neither } = await sandbox.control('GET', `/objects/items?id=${ids[2]}&state=completed`)

  expect([byId, byState, neither].map(({ objects }) => idsOf(objects))).toEqual([[ids[2]], [ids[1]], []])
})

test('each page of the object list searches a limited number of objects when the list is filtered by state', async () => {
  const { sandbox, ids } = await withItems(3)
  await sandbox.control('POST', `/objects/items/${ids[0]}/transitions`, { to: 'completed' })

  const { body } = await sandbox.control('GET', '/objects/items?state=completed&limit=2')

  expect(body).toEqual({ objects: [], older: 1, before: '1' })
})

test('GET /objects lists the objects of a past time and rejects unknown types and cursors', async () => {
  const { sandbox } = await withItems(1)
  const then = new Date(START).toISOString()
  await sandbox.control('POST', '/clock/advance', { by: '5m' })
  await sandbox.control('POST', '/objects/items', {})

  const { body: past } = await sandbox.control('GET', `/objects/items?at=${then}`)
  const answers = [
    await sandbox.control('GET', '/objects/things'),
    await sandbox.control('GET', '/objects/items?before=x'),
    await sandbox.control('GET', '/objects/items?limit=1001'),
  ]

  expect(past.objects.length).toBe(1)
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422])
})

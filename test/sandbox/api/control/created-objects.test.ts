import { expect, test } from 'vitest'
import { notifiedTypes } from '../../../../spec/notifications.ts'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'
import { EXAMPLES } from '../../../../spec/generated/examples.ts'
import { readings } from '../../../../spec/readings.ts'

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
  ['transactions', 'payment', 'credit_card'],
  ['transactions', 'payment', 'wallet_account_transfer'],
  ['transactions', 'disbursement', 'direct_credit'],
  ['batch_transactions', 'disbursement', 'direct_credit'],
  ['batch_transactions', 'payment', 'direct_debit'],
  ['batch_transactions', 'payment_funding', 'credit_card'],
  ['batch_transactions', 'bpay', 'bpay'],
] as const

test.each(KINDS)('the user and the account of %s %s %s exist', async (object_type, type, type_method) => {
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
  // The two messages are the test POSTs of the registrations.
  expect([sandbox.transport.messages.length, sandbox.errors]).toEqual([2, []])
})

test.each(['companies', 'virtual_accounts'])('every object that %s refer to can be shown', async (type) => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', `/objects/${type}`, {})

  const { related, user_external_id: user, wallet_account_id: wallet } = body.object
  const paths = type === 'companies' ? [`/users/${related.users}`] : [`/users/${user}`, `/accounts/${wallet}`]
  for (const path of paths) expect((await sandbox.call('GET', path)).status).toBe(200)
})

test.each(notifiedTypes)('two created %s have different names, references and other values', async (type) => {
  const sandbox = testSandbox()
  const create = async () => (await sandbox.control('POST', `/objects/${type}`, {})).body.object

  const [first, second] = [await create(), await create()]

  const alike = OWN_FIELDS.filter((field) => first[field] !== null && first[field] === second[field])
  expect(alike.filter((field) => first[field] !== undefined)).toEqual([])
})

test('a created realtime payout goes to the bank account of an existing user', async () => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', '/objects/disbursements', { bank_name: 'Mine' })

  const owners = [...sandbox.store.objectIds('users')].map(
    (id) => sandbox.store.object('users', id)?.body.full_name,
  )
  expect([body.object.bank_name, owners]).toEqual(['Mine', [body.object.bank_account_name]])
})

test('a created transaction keeps a specified user ID, and no user is created', async () => {
  const sandbox = testSandbox()

  const { body } = await sandbox.control('POST', '/objects/transactions', { user_id: 'ada' })

  expect(body.object.user_id).toBe('ada')
  expect([...sandbox.store.objectIds('users')]).toEqual([])
})

test('the account of a created deposit is the wallet of the specified user', async () => {
  const sandbox = testSandbox()
  const { body: user } = await sandbox.control('POST', '/objects/users', {})

  const { body } = await sandbox.control('POST', '/objects/transactions', { user_id: user.id })

  const { user_id, user_name, account_id } = body.object
  expect([user_id, user_name]).toEqual([user.id, user.object.full_name])
  expect(sandbox.store.accountOwner(account_id)?.user_id).toBe(user.id)
})

const goldens = EXAMPLES.flatMap(({ name, type, body }) =>
  type === 'items' ? [{ name, item: body.items }] : [],
)

/** Returns the amounts of an item that depend on its state. */
function amountsOf(item: object) {
  return Object.fromEntries(
    Object.entries(item).filter(([field]) => field.endsWith('_amount') || field === 'total_outstanding'),
  )
}

async function createItem(fields: object) {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/items', fields)
  const path = `/objects/items/${body.id}`
  return {
    created: body.object,
    move: async (to: string) => (await sandbox.control('POST', `${path}/transitions`, { to })).body.object,
    change: async (changes: object) => (await sandbox.control('PATCH', path, changes)).body.object,
  }
}

test.each(goldens)('a created or moved item has the amounts of $name in the same state', async (golden) => {
  const { amount, buyer_fees, seller_fees, state } = golden.item
  const prices = { amount, buyer_fees, seller_fees }

  const { created } = await createItem({ ...prices, state })
  const { created: pending, move } = await createItem(prices)
  const moved = state === 'pending' ? pending : await move(state)

  expect(amountsOf(created)).toEqual(amountsOf(golden.item))
  expect(amountsOf(moved)).toEqual(amountsOf(golden.item))
})

test('an item has no released amount when it is refunded after completion', async () => {
  const { move } = await createItem({ amount: 10_000, seller_fees: 200 })
  const completed = await move('completed')

  const refunded = await move('refunded')

  expect([completed.released_amount, completed.refunded_amount]).toEqual([9_800, 0])
  expect([refunded.released_amount, refunded.refunded_amount]).toEqual([0, 10_000])
})

test.each(['problem_flagged', 'refund_flagged', 'refund_pending'])(
  'an item keeps its released amount when it moves to %s',
  async (state) => {
    const { move } = await createItem({ amount: 10_000 })
    const before = await move('partial_completed')

    expect(amountsOf(await move(state))).toEqual(amountsOf(before))
  },
)

test('a specified item amount overrides the default amount for the item state', async () => {
  const { change } = await createItem({ amount: 10_000 })

  const refunded = await change({ state: 'refunded', refunded_amount: 2_500 })
  const same = await change({ state: 'refunded' })

  expect([refunded.refunded_amount, refunded.remaining_amount]).toEqual([2_500, 0])
  expect(same).toEqual(refunded)
})

interface Field {
  readonly path: string
  readonly value: string
  readonly mark: { readonly source: string | null; readonly reading: string | null }
}

async function described(type: string, fields: object = {}) {
  const sandbox = testSandbox()
  const { body: made } = await sandbox.control('POST', `/objects/${type}`, fields)
  const { status, body } = await sandbox.control('GET', `/objects/${type}/${made.id}/description`)
  expect(status).toBe(200)
  return { sandbox, made, body }
}

test('the description of a batch transaction lists its documented state changes', async () => {
  const kind = { type: 'disbursement', type_method: 'direct_credit', state: 'bank_processing' }
  const { body } = await described('batch_transactions', kind)

  expect(body.state).toBe('bank_processing')
  expect(body.next).toEqual(['successful', 'invalid_account_details'])
  expect(body.transitions[0]).toEqual({ from: null, to: 'batched', trigger: 'payout processing' })
  expect(body.moves).toEqual({ source: '§3', reading: null })
})

test('the description of an item lists every other state as a possible next state', async () => {
  const { body } = await described('items')

  expect(body.transitions).toBe(null)
  expect(body.next).toEqual(
    body.states.map(({ state }: { state: string }) => state).filter((state: string) => state !== 'pending'),
  )
  expect(body.states.slice(0, 2)).toEqual([
    { state: 'pending', code: 22000, mark: { source: '§2.5', reading: null } },
    { state: 'payment_required', code: 22100, mark: { source: null, reading: 'item-states' } },
  ])
})

test.each(notifiedTypes)(
  'every field in the description of %s names a section of the service document or an existing reading',
  async (type) => {
    const { body, made } = await described(type)
    const fields: readonly Field[] = body.fields
    const known = new Set<string>(readings.map(({ id }) => id))

    const unknown = fields.filter(({ mark }) => mark.source === null && mark.reading === null)
    const misread = fields.filter(({ mark }) => mark.reading !== null && !known.has(mark.reading))

    expect([unknown, misread]).toEqual([[], []])
    expect(new Set(fields.map(({ path }) => path.split('.')[0]))).toEqual(new Set(Object.keys(made.object)))
  },
)

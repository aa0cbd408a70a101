import { expect, test } from 'vitest'
import { ask } from '../../../support/requests.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const PATH = '/batches/1/transaction_states'
const production = () => testSandbox({ readings: { environment: 'production' } })

test.each(['{"state":12700}', '{', '{"exported_ids":["x"],"state":12700}'])(
  'in production PATCH transaction_states is not found, whatever its body is: %s',
  async (body) => {
    const answer = await ask(production(), PATH, { method: 'PATCH', body })

    expect(answer).toMatchObject({ status: 404, body: { status: '404', error: 'Not Found' }, errors: [] })
  },
)

test('in production PATCH transaction_states without a token is refused for that', async () => {
  expect((await ask(production(), PATH, { method: 'PATCH', authorization: '' })).status).toBe(401)
})

/** An item of 600 that waits for a direct debit, which the platform has asked for. */
async function waiting() {
  const sandbox = testSandbox()
  const user = { first_name: 'Neve', last_name: 'Byrne', email: 'neve@example.test', country: 'AUS' }
  const { body: buyer } = await sandbox.call('POST', '/users', user)
  const { body: seller } = await sandbox.call('POST', '/users', user)
  const { body: bank } = await sandbox.call('POST', '/bank_accounts', {
    user_id: buyer.users.id,
    bank_name: 'Bank of Examples',
    account_name: 'Neve Byrne',
    routing_number: '111123',
    account_number: '111234567',
    account_type: 'checking',
    holder_type: 'personal',
    country: 'AUS',
  })
  const { body: item } = await sandbox.call('POST', '/items', {
    name: 'Sofa',
    amount: 600,
    payment_type_id: 2,
    buyer_id: buyer.users.id,
    seller_id: seller.users.id,
  })
  const id: string = item.items.id
  const pay = () => sandbox.call('PATCH', `/items/${id}/make_payment`, { account_id: bank.bank_accounts.id })
  await pay()
  const { body: exported } = await sandbox.call('GET', '/batch_transactions/export_transactions')
  const [batch] = exported.transactions
  const simulate = (state: number) =>
    sandbox.call('PATCH', `/batches/${batch.batch_id}/transaction_states`, {
      exported_ids: [batch.id],
      state,
    })
  const bench = (state: string) =>
    sandbox.control('PATCH', `/objects/batch_transactions/${batch.id}`, { state })
  return { pay, simulate, bench, item: () => sandbox.store.object('items', id)?.body.state }
}

test('the simulation goes on where the bench has moved a debit to, its item included', async () => {
  const { simulate, bench, item } = await waiting()

  await bench('bank_processing')
  await simulate(12_000)

  expect(item()).toBe('payment_deposited')
})

test('an item can be paid again after the bench failed the debit that the simulation moved', async () => {
  const { simulate, bench, item, pay } = await waiting()

  await simulate(12_700)
  await bench('failed_direct_debit')
  const required = item()
  const again = await pay()

  expect([required, again.status, item()]).toEqual(['payment_required', 200, 'payment_pending'])
})

test('what is exported names its batch by a UUID, which moves it as the number does that its object shows', async () => {
  const sandbox = testSandbox()
  for (const batch_id of [7, 7, 8])
    await sandbox.control('POST', '/objects/batch_transactions', { batch_id, state: 'batched' })
  const { body } = await sandbox.call('GET', '/batch_transactions/export_transactions')
  const [first, second, other] = body.transactions
  const move = (batch: string, { id }: { readonly id: string }) =>
    sandbox.call('PATCH', `/batches/${batch}/transaction_states`, { exported_ids: [id], state: 12_700 })

  const answers = [
    await move(first.batch_id.toUpperCase(), first),
    await move('7', second),
    await move(first.batch_id, other),
  ]

  const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(first).toEqual({ ...first, batch_id: uuid, status: 'batched' })
  expect([second.batch_id, other.batch_id]).toEqual([first.batch_id, uuid])
  expect(answers.map(({ body: { errors } }) => errors)).toEqual([
    [],
    [],
    [`${other.id}: not in batch ${first.batch_id}`],
  ])
})

test('the simulation says of each batch transaction that it does not move why not', async () => {
  const sandbox = testSandbox()
  const { body: made } = await sandbox.control('POST', '/objects/batch_transactions', {
    batch_id: 7,
    state: 'batched',
  })
  const move = (state: number, ...ids: readonly unknown[]) =>
    sandbox.call('PATCH', '/batches/7/transaction_states', { exported_ids: ids, state })

  const moved = await move(12_700, made.id, 'nothing')
  const again = await move(12_700, made.id)

  expect(moved.body).toMatchObject({
    msg: '1 moved to bank_processing, 1 not',
    errors: ['nothing: not in batch 7'],
  })
  expect(again.body).toMatchObject({
    msg: '0 moved to bank_processing, 1 not',
    errors: [`${made.id}: bank_processing does not become bank_processing`],
  })
  expect(sandbox.store.object('batch_transactions', made.id)?.body.state).toBe('bank_processing')
})

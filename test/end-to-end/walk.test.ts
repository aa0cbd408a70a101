import { afterAll, beforeAll, expect, test } from 'vitest'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import { paymentOutcomes, paymentKinds, paymentSteps } from '../../spec/payments.ts'
import { parseNotification } from '../../spec/parse-notification.ts'
import { startWalk, type Received, type Walk } from '../support/walk.ts'

let walk: Walk

beforeAll(async () => {
  walk = await startWalk()
  for (const object_type of DELIVERY.object_types.webhooks.value) {
    const { status } = await walk.service('POST', '/webhooks', {
      url: walk.urlFor('webhooks', object_type),
      object_type,
    })
    expect(status).toBe(201)
  }
  for (const object_type of DELIVERY.object_types.callbacks.value) {
    const { status } = await walk.service('POST', '/callbacks', {
      url: walk.urlFor('callbacks', object_type),
      object_type,
    })
    expect(status).toBe(201)
  }
})

afterAll(() => walk.close())

function line({ object_type, body }: Received): string {
  const object = body[object_type] ?? body
  return [object_type, object.type, object.type_method, object.state ?? object.event]
    .filter(Boolean)
    .join(' ')
}

const plays = paymentKinds.flatMap((kind) => paymentOutcomes(kind).map((outcome) => [kind, outcome] as const))

test.each(plays)('%s to %s arrives as documented in both generations', async (kind, outcome) => {
  const before = walk.received.length

  const played = await walk.bench('POST', '/payments', { kind, outcome, amount: 4_200 })
  await walk.bench('POST', '/clock/advance', { by: '0s' })

  expect(played.status).toBe(201)
  const steps = paymentSteps(kind, outcome)
  const types = new Set<string>(steps.flat().map(({ object }) => object))
  for (const generation of ['webhooks', 'callbacks']) {
    const arrived = walk.received
      .slice(before)
      .filter((one) => one.generation === generation && types.has(one.object_type))
      .map(line)
    const expected = steps.map((notifications) =>
      notifications
        .filter(({ object }) => generation === 'webhooks' || object !== 'virtual_accounts')
        .map(({ object, type, type_method, state }) =>
          [object, type, type_method, object === 'virtual_accounts' ? 'status_updated' : state]
            .filter(Boolean)
            .join(' '),
        )
        .toSorted(),
    )
    expect(expected.map(({ length }) => arrived.splice(0, length).toSorted())).toEqual(expected)
    expect(arrived).toEqual([])
  }
  for (const { body } of walk.received.slice(before)) expect(parseNotification(body).ok).toBe(true)
})

test('a platform script pays, withdraws, and follows everything by notifications and Shows alone', async () => {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await walk.service(method, path, body)
    expect([method, path, answer.status < 300], JSON.stringify(answer.body)).toEqual([method, path, true])
    return answer.body
  }
  const user = (first_name: string) =>
    call('POST', '/users', {
      first_name,
      last_name: 'Byrne',
      email: `${first_name}@example.test`,
      country: 'AUS',
    })
  const [buyer, seller] = [(await user('neve')).users.id, (await user('sam')).users.id]
  const bank = (user_id: string) =>
    call('POST', '/bank_accounts', {
      user_id,
      bank_name: 'Bank of Examples',
      account_name: 'Byrne',
      routing_number: '111123',
      account_number: '111234567',
      account_type: 'checking',
      holder_type: 'personal',
      country: 'AUS',
    })
  const { items: item } = await call('POST', '/items', {
    name: 'Table',
    amount: 9_900,
    buyer_id: buyer,
    seller_id: seller,
  })
  /** Waits for the newest matching notification of the type. */
  const notified = async (
    type: string,
    state: string,
    about: (object: Record<string, unknown>) => boolean,
  ) => {
    const find = () =>
      walk.received.findLast(({ generation, object_type, body }) => {
        const object = body[object_type]
        return generation === 'webhooks' && object_type === type && object.state === state && about(object)
      })
    await expect.poll(find).toBeDefined()
    return find()?.body[type]
  }

  const { bank_accounts: account } = await bank(buyer)
  await call('PATCH', `/items/${item.id}/make_payment`, { account_id: account.id })
  const debit = await notified('batch_transactions', 'batched', ({ account_id }) => account_id === account.id)
  const move = (state: number) =>
    call('PATCH', `/batches/${debit.batch_id}/transaction_states`, { exported_ids: [debit.id], state })
  await move(12700)
  await notified('batch_transactions', 'bank_processing', ({ id }) => id === debit.id)
  await move(12000)
  await notified('batch_transactions', 'successful', ({ id }) => id === debit.id)
  await notified('items', 'payment_deposited', ({ id }) => id === item.id)

  const { card_accounts: card } = await call('POST', '/card_accounts', {
    user_id: buyer,
    full_name: 'Neve Byrne',
    number: '4111111111111111',
    expiry_month: '12',
    expiry_year: '2030',
  })
  const { items: second } = await call('POST', '/items', {
    name: 'Chair',
    amount: 5_000,
    buyer_id: buyer,
    seller_id: seller,
  })
  await call('PATCH', `/items/${second.id}/make_payment`, { account_id: card.id })
  const funding = await notified(
    'batch_transactions',
    'successful',
    ({ account_id }) => account_id === second.id,
  )
  const { wallet_accounts: wallet } = await call('GET', `/users/${seller}/wallet_accounts`)
  const { bank_accounts: target } = await bank(seller)
  const payout = await call('POST', `/wallet_accounts/${wallet.id}/withdraw`, {
    account_id: target.id,
    amount: 5_000,
  })
  await notified('batch_transactions', 'batched', ({ id }) => id === payout.disbursements.id)

  expect((await call('GET', `/items/${second.id}`)).items.state).toBe('completed')
  expect(funding.related.account_to.id).toBe(wallet.id)
  expect((await call('GET', `/accounts/${wallet.id}`)).accounts.amount).toBe(0)
})

test('webhooks and callbacks of one type succeed and fail independently, through a restart', async () => {
  walk.answer(({ generation }) => (generation === 'webhooks' ? 503 : 204))
  const { body } = await walk.bench('POST', '/objects/items', { name: 'Watched' })
  await walk.bench('POST', '/clock/advance', { by: '30m' })
  await walk.restart()
  walk.answer(() => 204)
  await walk.bench('POST', '/clock/advance', { by: '24h' })

  const seen = walk.received
    .filter(({ body: sent }) => sent.items?.id === body.id)
    .map(({ generation }) => generation)
  const jobs = await walk.bench('GET', `/jobs?object_id=${body.id}`)

  expect(seen.toSorted()).toEqual(['callbacks', 'webhooks', 'webhooks', 'webhooks', 'webhooks'])
  expect(
    jobs.body.jobs.map((job: Record<string, unknown>) => [job['generation'], job['status'], job['attempts']]),
  ).toEqual([
    ['webhooks', 'success', 4],
    ['callbacks', 'success', 1],
  ])
})

import { expect, test } from 'vitest'
import { createSandbox } from '../../../sandbox/index.ts'
import { linesOf } from '../../support/lines-of.ts'
import { answering, ok } from '../../support/receivers.ts'

test('expectDelivery() returns each delivery once', async () => {
  await using sandbox = await createSandbox({ receivers: { items: ok } })
  const { id } = await sandbox.create('items', { name: 'One' })
  await sandbox.change('items', id, { name: 'Two' })

  const first = await sandbox.expectDelivery({ object_type: 'items', object_id: id })
  const second = await sandbox.expectDelivery({ object_type: 'items', object_id: id })

  expect([first.body.items.name, second.body.items.name]).toEqual(['One', 'Two'])
  await expect(sandbox.expectDelivery({ object_id: id }, { timeoutMs: 0 })).rejects.toThrow(
    'no matching delivery came',
  )
})

test('expectDelivery() finds a delivery by each field', async () => {
  await using sandbox = await createSandbox({
    receivers: { items: { webhooks: answering(503), callbacks: answering(500) }, users: ok },
  })
  const item = await sandbox.create('items')
  await sandbox.create('users')
  await sandbox.advance('5m')

  const found = [
    await sandbox.expectDelivery({ object_type: 'users' }),
    await sandbox.expectDelivery({ attempt: 2 }),
    await sandbox.expectDelivery({ status: 503 }),
    await sandbox.expectDelivery({ generation: 'callbacks', state: 'pending', object_id: item.id }),
  ]

  expect(
    found.map(({ object_type, generation, attempt, status }) => [object_type, generation, attempt, status]),
  ).toEqual([
    ['users', 'webhooks', 1, 200],
    ['items', 'webhooks', 2, 200],
    ['items', 'webhooks', 1, 503],
    ['items', 'callbacks', 1, 500],
  ])
})

test('expectDelivery() finds a delivery by the state of a virtual account', async () => {
  await using sandbox = await createSandbox({ receivers: { virtual_accounts: ok } })
  await sandbox.play('virtual-account-activation', { outcome: 'activation_failed' })

  const { body, object_id } = await sandbox.expectDelivery({
    object_type: 'virtual_accounts',
    state: 'activation_failed',
  })

  expect(body).toMatchObject({ event: 'status_updated', id: object_id })
})

test('expectDelivery() waits for a later delivery', async () => {
  await using sandbox = await createSandbox({ receivers: { items: ok } })
  const { id } = await sandbox.data.items.create({})

  const expected = sandbox.expectDelivery({ object_type: 'items', object_id: id })
  await sandbox.change('items', id, { name: 'Later' })

  expect((await expected).body.items.name).toBe('Later')
})

test('two simultaneous calls of expectDelivery() get different deliveries', async () => {
  await using sandbox = await createSandbox({ receivers: { items: ok } })

  const both = Promise.all([sandbox.expectDelivery(), sandbox.expectDelivery()])
  const made = [await sandbox.create('items'), await sandbox.create('items')]

  expect((await both).map(({ object_id }) => object_id)).toEqual(made.map(({ id }) => id))
})

test('expectNoDelivery() names the received delivery', async () => {
  await using sandbox = await createSandbox({ receivers: { users: ok } })
  await sandbox.create('users', { id: 'ada' })

  const lines = await linesOf(sandbox.expectNoDelivery({ object_type: 'users' }))
  await sandbox.expectDelivery({ object_type: 'users' })

  expect(lines).toEqual([
    'Unexpected delivery with object_type "users". Take the expected deliveries with expectDelivery()',
    '  webhooks users "ada" approved, attempt 1, answered 200',
  ])
  await sandbox.expectNoDelivery({ object_type: 'users' })
})

test('expectNoDelivery() waits the specified time for deliveries in flight', async () => {
  await using sandbox = await createSandbox({ receivers: { users: ok } })

  const none = linesOf(sandbox.expectNoDelivery({}, { withinMs: 60_000 }))
  await sandbox.create('users')

  expect((await none)[0]).toContain('Unexpected delivery')
})

test.each([
  [{ object_type: 'item' }, 'by the object type "item": the possible values are items, users, '],
  [{ objecttype: 'items' }, 'by the field "objecttype": the possible values are object_type, '],
  [
    { object_type: 'items', state: 'complete' },
    'by the state of items "complete": the possible values are pending, ',
  ],
  [{ object_type: 'companies', state: 'active' }, 'of companies by state: its body contains no state.'],
  [{ object_id: undefined }, 'by object_id: the value is undefined. Give a value, or omit the field'],
])('expectDelivery() rejects the match %j', async (match, message) => {
  await using sandbox = await createSandbox()

  await expect(sandbox.expectDelivery(match as object)).rejects.toThrow(message)
  await expect(sandbox.expectNoDelivery(match as object)).rejects.toThrow(message)
})

test.each([-1, Number.NaN])('expectDelivery() rejects a timeout of %d ms', async (timeoutMs) => {
  await using sandbox = await createSandbox()

  await expect(sandbox.expectDelivery({}, { timeoutMs })).rejects.toThrow(
    `Cannot wait for a delivery: timeoutMs is ${timeoutMs}. Give a number of real milliseconds, 0 or more`,
  )
})

test('expectDelivery() waits for a retry when the clock runs', async () => {
  await using sandbox = await createSandbox({ clock: 100_000, receivers: { users: answering(503) } })
  await sandbox.create('users')

  const retry = await sandbox.expectDelivery({ object_type: 'users', attempt: 2 })

  expect(retry.status).toBe(200)
})

test('a failed expectDelivery() lists deliveries, jobs, payments and how far to advance the clock', async () => {
  await using sandbox = await createSandbox({ seed: 1, receivers: { items: answering(200, 503), users: ok } })
  const { id } = await sandbox.create('items')
  await sandbox.change('items', id, { state: 'completed' })
  await sandbox.create('users', { id: 'ada' })
  const payment = await sandbox.play('bpay-payin', { pace: 'stepwise' })
  await sandbox.expectDelivery({ object_type: 'items', state: 'pending' })

  const match = { object_type: 'items', state: 'completed', status: 200 } as const
  const lines = await linesOf(sandbox.expectDelivery(match, { timeoutMs: 1 }))

  expect(lines).toEqual([
    'Cannot find a delivery with object_type "items" and state "completed" and status 200: no matching delivery came within 1 ms. ' +
      "Advance the clock with sandbox.advance('5m'): attempt 2 is due then",
    'Deliveries that no test has taken yet:',
    `  webhooks items "${id}" completed, attempt 1, answered 503; attempt 2 due at 2026-01-01T00:05:00.001Z`,
    '  webhooks users "ada" approved, attempt 1, answered 200',
    'Expected before:',
    `  webhooks items "${id}" pending, attempt 1, answered 200`,
    'Pending jobs:',
    `  webhooks items "${id}" completed, attempt 2 is due at 2026-01-01T00:05:00.001Z, in 5m. The last attempt ended with http_503`,
    'Payments in progress:',
    `  bpay-payin "${payment.id}", step 2 of 2 waits for sandbox.next(payment)`,
  ])
})

test.each([
  [
    { object_type: 'users' },
    'No receiver is registered for users. Call createSandbox({ receivers: { users: … } })',
  ],
  [
    { object_type: 'items', generation: 'callbacks' },
    'No receiver is registered for the callbacks of items. Call',
  ],
  [{ object_type: 'items' }, 'The other deliveries:'],
] as const)('a failed expectDelivery() of %j names a missing registration', async (match, expected) => {
  await using sandbox = await createSandbox({ receivers: { items: ok } })
  await sandbox.create('users')

  const [line] = await linesOf(sandbox.expectDelivery(match, { timeoutMs: 0 }))

  expect(line).toContain(`no matching delivery came within 0 ms. ${expected}`)
})

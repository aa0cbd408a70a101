import { expect, test } from 'vitest'
import { createSandbox } from '../../../sandbox/index.ts'
import { linesOf } from '../../support/lines-of.ts'
import { answering, ok } from '../../support/receivers.ts'

test('a failure says what came, what was expected before, and how far to advance', async () => {
  await using sandbox = await createSandbox({ seed: 1, receivers: { items: answering(200, 503), users: ok } })
  const { id } = await sandbox.create('items')
  await sandbox.change('items', id, { state: 'completed' })
  await sandbox.create('users', { id: 'ada' })
  const payment = await sandbox.play('bpay-payin', { pace: 'stepwise' })
  await sandbox.expectDelivery({ object_type: 'items', state: 'pending' })

  const match = { object_type: 'items', state: 'completed', status: 200 } as const
  const lines = await linesOf(sandbox.expectDelivery(match, { timeoutMs: 1 }))

  expect(lines).toEqual([
    'Cannot find a delivery with object_type "items" and state "completed" and status 200: none came within 1 ms; ' +
      "advance the clock by sandbox.advance('5m'): attempt 2 is due then",
    'Came, and not expected yet:',
    `  webhooks items "${id}" completed, attempt 1, answered 503; attempt 2 due at 2026-01-01T00:05:00.001Z`,
    '  webhooks users "ada" approved, attempt 1, answered 200',
    'Expected before:',
    `  webhooks items "${id}" pending, attempt 1, answered 200`,
    'Pending jobs:',
    `  webhooks items "${id}" completed, attempt 2 is due at 2026-01-01T00:05:00.001Z, in 5m; the last one ended with http_503`,
    'Payments under way:',
    `  bpay-payin "${payment.id}", step 2 of 2 waits for sandbox.next(payment)`,
  ])
})

test('a failure says that the receiver threw, and when a paced payment goes on', async () => {
  let inFlight = 0
  const receivers = {
    batch_transactions() {
      if (inFlight++ > 0) throw new Error('no such batch')
      return new Response()
    },
  }
  await using sandbox = await createSandbox({ receivers })
  await sandbox.play('bpay-payin', { pace: '1m30s' })

  const lines = await linesOf(sandbox.expectDelivery({ status: 200 }, { timeoutMs: 0 }))

  expect(lines).toMatchObject([
    expect.stringContaining("advance the clock by sandbox.advance('5m'): attempt 2 is due then"),
    'Came, and not expected yet:',
    expect.stringMatching(
      /bpay_pending, attempt 1, unanswered \(closed_without_response\): The receiver of .* threw: no such batch/,
    ),
    'Expected before: none',
    'Pending jobs:',
    expect.stringMatching(/attempt 2 is due at .*, in 5m; the last one ended with closed_without_response$/),
    'Payments under way:',
    expect.stringMatching(/^ {2}bpay-payin ".*", step 2 of 2 is due at .*, in 1m30s$/),
  ])
})

test.each([
  [
    { object_type: 'users' },
    'nobody is registered for users: give createSandbox({ receivers: { users: … } })',
  ],
  [
    { object_type: 'items', generation: 'callbacks' },
    'nobody is registered for the callbacks of items: give createSandbox({ receivers: { items: { callbacks: … } } })',
  ],
  [{ object_type: 'items' }, 'what there is instead:'],
] as const)('a failure of %j says whether somebody is registered', async (match, expected) => {
  await using sandbox = await createSandbox({ receivers: { items: ok } })
  await sandbox.create('users')

  const [line] = await linesOf(sandbox.expectDelivery(match, { timeoutMs: 0 }))

  expect(line).toContain(`none came within 0 ms; ${expected}`)
})

test('a failure says so if nobody is registered at all, or if what is registered is disabled', async () => {
  await using sandbox = await createSandbox({ receivers: { items: ok } })
  await using other = await createSandbox()
  const disable = async (id: string, url: string) => {
    const headers = {
      authorization: `Basic ${btoa('sandbox:sandbox-secret')}`,
      'content-type': 'application/json',
    }
    const grant = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' }
    const granted = await sandbox.fetch(
      new Request('https://service.test/tokens', { method: 'POST', headers, body: JSON.stringify(grant) }),
    )
    const { access_token } = JSON.parse(await granted.text())
    const authorized = { ...headers, authorization: `Bearer ${access_token}` }
    const body = JSON.stringify({ url, enabled: false })
    await sandbox.fetch(
      new Request(`https://service.test/webhooks/${id}`, { method: 'PATCH', headers: authorized, body }),
    )
  }
  await sandbox.create('items')
  const { url } = await sandbox.expectDelivery()
  await disable(sandbox.jobs()[0]?.registration_id ?? '', url)
  await sandbox.create('items')

  const [disabled] = await linesOf(sandbox.expectDelivery({ object_type: 'items' }, { timeoutMs: 0 }))
  const [empty] = await linesOf(other.expectDelivery({}, { timeoutMs: 0 }))

  expect(disabled).toContain('; what is registered for items is disabled: enable it')
  expect(empty).toBe(
    'Cannot find a delivery: none came within 0 ms; nobody is registered for any type: give createSandbox({ receivers: { items: … } })',
  )
})

test('a failure shows the newest ten of what came', async () => {
  await using sandbox = await createSandbox({ receivers: { users: ok } })
  for (let index = 0; index < 12; index++) await sandbox.create('users', { id: `user-${index}` })

  const lines = await linesOf(sandbox.expectDelivery({ object_id: 'user-12' }, { timeoutMs: 0 }))

  expect(lines.slice(1, 4)).toEqual([
    'Came, and not expected yet:',
    '  (2 more before)',
    '  webhooks users "user-2" approved, attempt 1, answered 200',
  ])
})

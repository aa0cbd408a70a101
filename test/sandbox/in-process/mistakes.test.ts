import { expect, test } from 'vitest'
import { createSandbox } from '../../../sandbox/index.ts'

const accept = () => new Response(null, { status: 204 })
/** What only a program without types can say. */
const misspelt = (name: string) => Object.fromEntries([[name, 1]])

test('an unknown option is refused by name, wherever one is taken', async () => {
  await using sandbox = await createSandbox({ receivers: { items: accept } })

  await expect(createSandbox(misspelt('sed'))).rejects.toThrow('did you mean "seed"?')
  await expect(createSandbox({ credentials: misspelt('client_idd') })).rejects.toThrow(
    'did you mean "client_id"?',
  )
  await expect(sandbox.play('card-payin', misspelt('amout'))).rejects.toThrow('did you mean "amount"?')
  await expect(sandbox.create('items', misspelt('amout'))).rejects.toThrow('did you mean "amount"?')
  await expect(sandbox.settle(misspelt('timeoutms'))).rejects.toThrow('did you mean "timeoutMs"?')
  await expect(sandbox.requests(misspelt('objct_id'))).rejects.toThrow('did you mean "object_id"?')
  await expect(sandbox.expectDelivery({}, misspelt('timeout'))).rejects.toThrow('did you mean "timeoutMs"?')
  await expect(sandbox.expectNoDelivery({}, misspelt('within'))).rejects.toThrow('did you mean "withinMs"?')
})

test('what does not go together is refused, and nothing is notified of it', async () => {
  const received: string[] = []
  const receive = async (request: Request) => {
    received.push(await request.text())
    return accept()
  }
  await using sandbox = await createSandbox({ receivers: { items: receive, disbursements: receive } })
  const item = await sandbox.create('items', { state: 'refunded' })
  const payout = await sandbox.create('disbursements')
  await sandbox.settle()
  const before = received.length

  await expect(sandbox.change('items', item.id, { status: 22500 })).rejects.toThrow(
    '"status" cannot be 22500 where "state" is "refunded": it takes 22600',
  )
  await expect(sandbox.change('disbursements', payout.id, { npp_payout_state: 'failed' })).rejects.toThrow(
    '"npp_payout_state" cannot be "failed" where "state" is "bank_processing"',
  )
  await expect(sandbox.create('items', { amount: -1 })).rejects.toThrow('"amount" takes 0 or more, not -1')
  await sandbox.settle()

  expect(received.length).toBe(before)
})

test('whatever is called after close() is refused at once', async () => {
  const sandbox = await createSandbox({ receivers: { items: accept } })
  const { id } = await sandbox.create('items')

  await sandbox.close()

  const calls = [
    () => sandbox.play('card-payin'),
    () => sandbox.create('items'),
    () => sandbox.change('items', id, { state: 'completed' }),
    () => sandbox.advance('1m'),
    () => sandbox.deliver({ to: 'items', body: {} }),
    () => sandbox.settle(),
    () => sandbox.reset(),
    () => sandbox.data.items.create({}),
    () => sandbox.fetch(new Request('https://service.test/items/x')),
  ]
  for (const call of calls) await expect(call()).rejects.toThrow('Cannot use the sandbox: it is closed')
  expect(sandbox.jobs()).toHaveLength(1)
  await sandbox.close()
})

test('deliver() finds the receiver of a type, and registrations() lists where they are', async () => {
  const taken: string[] = []
  const take = (name: string) => async (request: Request) => {
    taken.push(`${name} ${await request.text()}`)
    return accept()
  }
  await using sandbox = await createSandbox({
    receivers: {
      transactions: { webhooks: take('webhook'), callbacks: take('callback') },
      companies: { callbacks: take('company') },
    },
  })
  taken.length = 0

  await sandbox.deliver({ to: 'transactions', raw: 'a' })
  await sandbox.deliver({ to: 'transactions', generation: 'callbacks', raw: 'b' })
  const { url, registration_id } = await sandbox.deliver({ to: 'companies', raw: 'c' })

  const registrations = await sandbox.registrations()
  expect(taken).toEqual(['webhook a', 'callback b', 'company c'])
  expect(
    registrations.map(({ generation, object_type }) => `${generation} ${object_type}`).toSorted(),
  ).toEqual(['callbacks companies', 'callbacks transactions', 'webhooks transactions'])
  expect(registrations).toContainEqual(expect.objectContaining({ id: registration_id, url }))
  await expect(sandbox.deliver({ to: 'items', raw: '' })).rejects.toThrow(
    'Cannot deliver to the receiver of "items": it is not registered; there are webhooks of transactions',
  )
})

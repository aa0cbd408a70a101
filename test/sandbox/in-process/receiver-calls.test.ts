import { expect, test } from 'vitest'
import { createSandbox, toReceiver, type Sandbox } from '../../../sandbox/index.ts'
import { answering, ok } from '../../support/receivers.ts'

/** Creates a sandbox whose item receiver calls `act` after each notification. */
async function sandboxWith(act: (sandbox: Sandbox, id: string) => unknown, receiver = ok): Promise<Sandbox> {
  let inside: Sandbox | undefined
  const sandbox = await createSandbox({
    receivers: {
      async items(request) {
        const body: { readonly items?: { readonly id: string } } = JSON.parse(await request.clone().text())
        if (inside && body.items) await act(inside, body.items.id)
        return receiver(request)
      },
    },
  })
  inside = sandbox
  return sandbox
}

const WAITING: readonly (readonly [string, (sandbox: Sandbox, id: string) => Promise<unknown>])[] = [
  ['create', (sandbox) => sandbox.create('users')],
  ['change', (sandbox, id) => sandbox.change('items', id, { state: 'completed' })],
  ['move', (sandbox, id) => sandbox.move('items', id, 'completed')],
  ['play', (sandbox) => sandbox.play('card-payin')],
  ['next', (sandbox) => sandbox.next({ id: 'p-1' })],
  ['advance', (sandbox) => sandbox.advance('5m')],
  ['setClock', (sandbox) => sandbox.setClock({ speed: 1 })],
  ['settle', (sandbox) => sandbox.settle()],
  ['resend', (sandbox) => sandbox.resend({ id: 'j-1' })],
  ['deliver', (sandbox) => sandbox.deliver({ to: 'items', body: {} })],
  ['removeFault', (sandbox) => sandbox.removeFault({ id: 'f-1' })],
  ['clearFaults', (sandbox) => sandbox.clearFaults()],
  ['reset', (sandbox) => sandbox.reset()],
  ['restore', async (sandbox) => sandbox.restore(await sandbox.snapshot())],
  ['expectNoDelivery', (sandbox) => sandbox.expectNoDelivery()],
  ['close', (sandbox) => sandbox.close()],
]

test.each(WAITING)('%s() throws an error when a receiver calls this method', async (name, call) => {
  await using sandbox = await sandboxWith(call)
  await sandbox.create('items')

  const { cause } = await sandbox.expectDelivery({ object_type: 'items' })

  expect(cause).toMatchObject({
    message: expect.stringContaining(`Cannot call ${name}() inside a receiver: `),
  })
})

test('settle() throws an error when a node:http listener inside a receiver calls settle()', async () => {
  let inside: Sandbox | undefined
  const receive = toReceiver(async (request, response) => {
    for await (const _ of request);
    await inside?.settle()
    response.end()
  })
  await using sandbox = await createSandbox({ receivers: { items: receive } })
  inside = sandbox
  await sandbox.create('items')

  const { cause } = await sandbox.expectDelivery({ object_type: 'items' })

  expect(cause).toMatchObject({
    message: expect.stringContaining('Cannot call settle() inside a receiver: '),
  })
})

test('change() of another sandbox works inside a receiver', async () => {
  await using other = await createSandbox()
  const { id } = await other.create('items')
  await using sandbox = await sandboxWith(() => other.change('items', id, { state: 'completed' }))
  await sandbox.create('items')

  expect(await sandbox.expectDelivery({ object_type: 'items' })).toMatchObject({ status: 200 })
  expect(other.data.items.findFirst((query) => query.where({ id }))?.state).toBe('completed')
})

const failure = new Error('no such order')
const failing = () => {
  throw failure
}

test('a failed expectation has the receiver error as its cause', async () => {
  let isUp = true
  await using sandbox = await createSandbox({
    receivers: { items: () => (isUp ? new Response() : failing()), users: answering(503) },
  })
  isUp = false
  await sandbox.create('items')
  await sandbox.create('users')

  const missing = sandbox.expectDelivery({ object_type: 'items', status: 200 }, { timeoutMs: 0 })
  await expect(missing).rejects.toMatchObject({ cause: failure })
  const other = sandbox.expectDelivery({ object_type: 'users', status: 200 }, { timeoutMs: 0 })
  await expect(other).rejects.toMatchObject({ cause: failure })
  await expect(sandbox.expectNoDelivery({ object_type: 'items' })).rejects.toMatchObject({ cause: failure })
  expect(await sandbox.expectDelivery({ object_type: 'users' })).not.toHaveProperty('cause')
  expect(await sandbox.expectDelivery({ object_type: 'items' })).toMatchObject({
    status: null,
    cause: failure,
  })
})

test('createSandbox() fails with the receiver error as cause when the test POST throws', async () => {
  const created = createSandbox({ receivers: { items: failing } })

  await expect(created).rejects.toMatchObject({
    message: expect.stringContaining('Cannot register the receiver of items: '),
    cause: failure,
  })
})

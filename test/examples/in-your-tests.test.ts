import { createSandbox } from 'hookbench'
import { mswHandlers } from 'hookbench/msw'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { createShop } from './my-receiver.ts'

test('an order is shipped once, even if the answer to its notification is lost', async () => {
  const shop = createShop()
  const line = { broken: false }
  await using sandbox = await createSandbox({
    seed: 1, // the same ids in every run
    receivers: {
      async items(request) {
        const answer = await shop.receive(request)
        if (line.broken) throw new Error('the connection broke')
        return answer
      },
    },
  })
  const server = setupServer(...mswHandlers(sandbox)) // the shop asks back at https://service.test
  server.listen()
  onTestFinished(() => server.close())

  const item = await sandbox.data.items.create({ amount: 1200 }) // seeded, without a notification
  line.broken = true
  await sandbox.play('card-payin', { item: item.id })

  const completed = { object_type: 'items', object_id: item.id, state: 'completed' } as const
  const first = await sandbox.expectDelivery({ ...completed, attempt: 1 })
  expect(first.status).toBeNull()
  expect(first.body.items.released_amount).toBe(1200)

  line.broken = false
  await sandbox.advance('5m') // to the first retry
  const retry = await sandbox.expectDelivery({ ...completed, attempt: 2 })
  expect(retry).toMatchObject({ status: 204, body: first.body })
  expect([...shop.shipped]).toEqual([item.id])

  await sandbox.advance('24h')
  await sandbox.expectNoDelivery({ ...completed, attempt: 3 })
  expect(sandbox.data.items.findFirst((query) => query.where({ id: item.id }))?.state).toBe('completed')
})

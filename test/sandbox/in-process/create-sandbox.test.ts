import { join } from 'node:path'
import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { mswHandlers } from '../../../sandbox/in-process/msw.ts'
import { createSandbox } from '../../../sandbox/index.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('mswHandlers() returns handlers that answer calls to the service URL', async () => {
  await using sandbox = await createSandbox({ seed: 1 })
  const server = setupServer(...mswHandlers(sandbox))
  server.listen()
  const item = await sandbox.create('items')

  const authorization = `Basic ${btoa('sandbox@example.test:sandbox-token')}`
  const shown = await fetch(`https://service.test/items/${item.id}`, { headers: { authorization } })

  expect(await shown.json()).toEqual({ items: item })
  server.close()
})

test('createSandbox() continues with the clock, jobs and registration of an existing store', async () => {
  const storePath = join(temporaryFolder(), 'store.sqlite')
  const options = { storePath, seed: 1, receivers: { items: () => new Response() } }
  const first = await createSandbox(options)
  await first.create('items')
  await first.advance('30d')
  await first.close()

  const second = await createSandbox(options)
  const item = await second.create('items')

  expect(second.now().toISOString()).toBe('2026-01-31T00:00:00.000Z')
  expect([second.jobs().length, item.state]).toEqual([2, 'pending'])
  await second.close()
})

test.each([new Date('garbage'), new Date(0), 'soon'])('advance() rejects %s', async (by) => {
  await using sandbox = await createSandbox({ seed: 1 })

  await expect(sandbox.advance(by)).rejects.toThrow('Cannot advance')
  expect(sandbox.now().toISOString()).toBe('2026-01-01T00:00:00.000Z')
})

test.each([Number.NaN, -5, 1e12])('createSandbox() rejects a clock of speed %d', async (clock) => {
  await expect(createSandbox({ clock })).rejects.toThrow('Cannot create a sandbox: "clock" is ')
})

test.each(['service.test', 'ftp://service.test', 'https://service.test/v1', 'https://service.test/?x'])(
  'createSandbox() rejects the origin "%s"',
  async (origin) => {
    await expect(createSandbox({ origin })).rejects.toThrow(
      `Cannot create a sandbox: "origin" is "${origin}". Give an origin such as 'https://service.test'`,
    )
  },
)

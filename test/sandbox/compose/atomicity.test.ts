import { expect, test } from 'vitest'
import { START, testSandbox } from '../../support/test-sandbox.ts'
import { createMemoryDatabase } from '../../support/stores.ts'

const HOUR = 3_600_000

test('two simultaneous changes of different registration fields are both applied', async () => {
  const sandbox = testSandbox()
  const uuid = await sandbox.register()

  await Promise.all([
    sandbox.call('PATCH', `/webhooks/${uuid}`, { enabled: false }),
    sandbox.call('PATCH', `/webhooks/${uuid}`, { description: 'hello' }),
  ])

  expect((await sandbox.call('GET', `/webhooks/${uuid}`)).body).toMatchObject({
    enabled: false,
    description: 'hello',
  })
})

test('a registration that is deleted during a change stays deleted', async () => {
  for (let round = 0; round < 20; round++) {
    const sandbox = testSandbox()
    const uuid = await sandbox.register()
    const change = { description: 'x'.repeat(round * 1_000) }

    await Promise.all([
      sandbox.call('PATCH', `/webhooks/${uuid}`, change),
      sandbox.call('DELETE', `/webhooks/${uuid}`),
    ])

    expect((await sandbox.call('GET', `/webhooks/${uuid}`)).status).toBe(404)
  }
})

test('only one of two simultaneous creations with the same ID succeeds', async () => {
  const sandbox = testSandbox()
  const id = '9a7b2f04-51c3-4d1e-8f60-2b7c9d0e1f23'

  const answers = await Promise.all([
    sandbox.control('POST', '/objects/items', { id }),
    sandbox.control('POST', '/objects/items', { id }),
  ])

  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
})

test.each([1, 2])('a clock advance with %d due jobs ends when the sandbox closes', async (jobs) => {
  const hanging = Promise.withResolvers<number>()
  let failures = 0
  const database = createMemoryDatabase()
  const sandbox = testSandbox({
    store: database.open(),
    script: (_, index) => {
      if (index === 0) return 200
      return failures++ < jobs ? 500 : hanging.promise
    },
  })
  await sandbox.register()
  for (let index = 0; index < jobs; index++) {
    await sandbox.control('POST', '/objects/items', {})
    await sandbox.advance(START + (index + 1) * 60_000)
  }

  const advanced = sandbox.control('POST', '/clock/advance', { by: '24h' })
  await expect.poll(() => failures).toBeGreaterThan(jobs)
  const closed = sandbox.close()
  hanging.resolve(500)
  const answer = await advanced
  await closed

  const again = testSandbox({ store: database.open(), startAt: 0 })
  expect(answer).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('is stopping') } },
  })
  expect(again.store.latestAt()).toBeLessThan(START + HOUR)
  expect(again.store.jobs().filter(({ next_due_at }) => next_due_at !== null).length).toBe(jobs)
})

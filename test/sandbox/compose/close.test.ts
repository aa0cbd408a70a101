import { expect, test } from 'vitest'
import { testSandbox } from '../../support/test-sandbox.ts'
import { createMemoryDatabase } from '../../support/stores.ts'

test('a sandbox that closes starts nothing more, and records the end of what is under way', async () => {
  const answers: (() => void)[] = []
  const database = createMemoryDatabase()
  const sandbox = testSandbox({
    store: database.open(),
    script: (_, index) => (index === 0 ? 200 : new Promise((resolve) => answers.push(() => resolve(200)))),
  })
  await sandbox.register()
  for (let count = 0; count < 70; count++) await sandbox.control('POST', '/objects/items', {})
  await expect.poll(() => answers.length).toBe(64)

  const closed = sandbox.close()
  for (const answer of answers) answer()
  await closed

  const again = testSandbox({ store: database.open() })
  await again.idle()
  const attempts = again.store.jobs().map((job) => again.store.attempts(job).map(({ head }) => head.status))
  expect(attempts).toEqual(Array.from({ length: 70 }, () => [200]))
  expect(again.transport.messages.length).toBe(6)
})

test('a payment that is played at once as the sandbox closes stays where it is, and goes on at the next start', async () => {
  const database = createMemoryDatabase()
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({
    store: database.open(),
    script: (_, index) => (index === 0 ? 200 : answer.promise),
  })
  await sandbox.register()
  const played = sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: 'instant' })
  await expect.poll(() => sandbox.transport.messages.length).toBe(2)

  const closed = sandbox.close()
  answer.resolve(200)
  const { status, body } = await played
  await closed
  const again = testSandbox({ store: database.open() })
  await again.idle()

  expect([status, body.step < body.steps]).toEqual([201, true])
  expect(again.store.payment(body.id)).toMatchObject({ step: body.steps, next_due_at: null })
})

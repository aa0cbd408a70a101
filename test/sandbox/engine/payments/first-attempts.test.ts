import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('a step waits for no notification that was called off meanwhile', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: (_, index) => (index === 1 ? answer.promise : 200) })
  const uuid = await sandbox.register()
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.control('PATCH', `/objects/items/${item.id}`, { name: 'Behind the first' })
  const played = sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: 'instant' })
  await sandbox.control('GET', '/clock')
  await sandbox.call('DELETE', `/webhooks/${uuid}`)

  answer.resolve(200)
  const { body } = await played

  expect([body.step, body.steps]).toEqual([3, 3])
  expect(sandbox.attempts.length).toBe(1)
})

import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('a step waits for no notification that was called off meanwhile', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : new Promise<number>(() => {})) })
  const id = await sandbox.register()
  const played = sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: 'instant' })
  await sandbox.control('GET', '/clock')
  await sandbox.call('DELETE', `/webhooks/${id}`)

  const { body } = await played

  expect([body.step, body.steps]).toEqual([3, 3])
})

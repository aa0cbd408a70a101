import { expect, test } from 'vitest'
import { testSandbox } from '../../support/test-sandbox.ts'

test('a step waits for no notification that was called off meanwhile', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : new Promise<number>(() => {})) })
  const id = await sandbox.register()
  await sandbox.control('POST', '/payments', { kind: 'direct-debit-payin', pace: 'instant' })
  await sandbox.call('DELETE', `/webhooks/${id}`)
  await sandbox.control('GET', '/clock')

  const { body } = await sandbox.control('GET', '/payments')

  expect([body.payments[0].step, body.payments[0].steps]).toEqual([3, 3])
})

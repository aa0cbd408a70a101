import { expect, test } from 'vitest'
import { notifiedTypes } from '../../../../spec/kinds.ts'
import { START, testSandbox } from '../../../support/test-sandbox.ts'

const MINUTE = 60_000
const HANGING = 'https://localhost:9443/hangs/3f9c1d2ab47e8051'
const HEALTHY = 'https://localhost:9444/answers/0a1b2c3d4e5f6071'

test('after a machine has slept for eight hours, what fell due is sent once, in order, and not all at once', async () => {
  let underWay = 0
  let most = 0
  const sandbox = testSandbox({
    async script(_, index) {
      if (index === 0) return 200
      most = Math.max(most, ++underWay)
      await new Promise<void>((resolve) => void setImmediate(resolve))
      underWay--
      return 500
    },
  })
  await sandbox.register()
  await sandbox.control('PATCH', '/clock', { mode: 'real' })
  for (let count = 0; count < 100; count++) await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  most = 0

  sandbox.realTime.move(8 * 60 * MINUTE)
  await sandbox.idle()

  expect(most).toBe(64)
  const dueByJob = sandbox.store
    .jobs()
    .map((job) => sandbox.store.attempts(job).map(({ head }) => Math.floor((head.due_at - START) / MINUTE)))
  expect(dueByJob).toEqual(Array.from({ length: 100 }, () => [0, 5, 25, 105, 425]))
})

test('a receiver that hangs for all types changes nothing for the one beside it', async () => {
  const sandbox = testSandbox({
    script: ({ url, body }) =>
      url.startsWith(HANGING) && !Buffer.from(body).includes('"message"') ? new Promise(() => {}) : 200,
  })
  for (const object_type of notifiedTypes) {
    const url = `${HANGING}/${object_type}`
    expect((await sandbox.call('POST', '/webhooks', { url, object_type })).status).toBe(201)
  }
  const { status } = await sandbox.call('POST', '/callbacks', { url: HEALTHY, object_type: 'items' })
  expect(status).toBe(201)

  for (let count = 0; count < 200; count++) {
    await sandbox.control('POST', '/objects/items', {})
    await sandbox.control('POST', '/objects/users', {})
  }

  await expect.poll(() => sandbox.attempts.length).toBe(200)
  expect(sandbox.attempts.filter(({ url, status: answered }) => url !== HEALTHY || answered !== 200)).toEqual(
    [],
  )
  expect(sandbox.transport.messages.filter(({ url }) => url === `${HANGING}/items`).length).toBe(65)
})

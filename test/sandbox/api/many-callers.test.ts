import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { notifiedTypes } from '../../../spec/kinds.ts'
import { RECEIVER, testSandbox } from '../../support/test-sandbox.ts'

test('a hundred registrations whose test POST is not answered hold up nobody else, and leave nothing', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: () => answer.promise })
  const types = notifiedTypes.filter((type) => type !== 'items')
  const waiting = Array.from({ length: 100 }, (_, index) =>
    sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: types[index % types.length] }),
  )
  await expect.poll(() => sandbox.transport.messages.length).toBe(100)

  const listed = await sandbox.call('GET', '/webhooks')
  const made = await sandbox.control('POST', '/objects/items', {})
  const health = await sandbox.control('GET', '/health')
  const entries = sandbox.store.length
  answer.resolve(500)
  const statuses = new Set((await Promise.all(waiting)).map(({ status }) => status))

  expect([listed.status, made.status, health.status]).toEqual([200, 201, 200])
  expect([...statuses, sandbox.store.length - entries]).toEqual([422, 0])
})

/** What is in use once nothing is left that could be freed. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  return process.memoryUsage().heapUsed
}

test('nothing is kept of headers that differ from call to call', async () => {
  const sandbox = testSandbox()
  const call = async (index: number) => {
    const headers = {
      accept: `x/${index}${'a'.repeat(8_000)}`,
      'accept-language': `${index}${'b'.repeat(8_000)}`,
    }
    const response = await sandbox.bench(new Request('http://bench.test/control/health', { headers }))
    await response.arrayBuffer()
  }
  for (let index = 0; index < 100; index++) await call(index)
  const before = usedBytes()

  // 32 MB of headers.
  for (let index = 100; index < 2_100; index++) await call(index)

  expect(usedBytes() - before).toBeLessThan(8e6)
})

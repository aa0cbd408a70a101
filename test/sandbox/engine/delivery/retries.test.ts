import { expect, test } from 'vitest'
import { START, testSandbox } from '../../../support/test-sandbox.ts'

const MINUTE = 60_000

/** Minutes after the trigger at which each attempt started. */
async function retryMinutes(script: (index: number) => number, readings: Record<string, string> = {}) {
  const sandbox = testSandbox({ readings, script: (_, index) => (index === 0 ? 200 : script(index)) })
  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.advance(START + 3 * 24 * 60 * MINUTE)
  expect(sandbox.errors).toEqual([])
  return sandbox.attempts.map(({ started_at }) => (started_at - START) / MINUTE)
}

test('a delivery that succeeds is not sent again', async () => {
  expect(await retryMinutes(() => 200)).toEqual([0])
})

test('a delivery that fails is retried 5, 25, 105 and 425 minutes after the first failure', async () => {
  expect(await retryMinutes(() => 503)).toEqual([0, 5, 25, 105, 425])
})

test('a fifth retry follows after 1705 minutes where the reading sends all five', async () => {
  expect(await retryMinutes(() => 503, { 'retry-window': 'five-attempts' })).toEqual([
    0, 5, 25, 105, 425, 1705,
  ])
})

test('retries end with the first success', async () => {
  expect(await retryMinutes((index) => (index === 3 ? 204 : 500))).toEqual([0, 5, 25])
})

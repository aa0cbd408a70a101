import { expect, test } from 'vitest'
import { patience } from '../../../sandbox/client/patience.ts'

const LONG = 2 ** 40

test('pause() ends at once when it is stopped, before it began or while it lasts', async () => {
  const stop = new AbortController()
  const pausing = patience.pause(LONG, stop.signal)

  stop.abort()

  await expect(pausing).resolves.toBeUndefined()
  await expect(patience.pause(LONG, stop.signal)).resolves.toBeUndefined()
})

test('pause() ends when its time is over', async () => {
  const before = patience.elapsed()

  await patience.pause(0)

  expect(patience.elapsed()).toBeGreaterThanOrEqual(before)
})

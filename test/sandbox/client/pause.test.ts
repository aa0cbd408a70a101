import { expect, test } from 'vitest'
import { realTime } from '../../../sandbox/adapters/real-time.ts'
import { pause } from '../../../sandbox/client/pause.ts'

const LONG = 2 ** 40

test('pause() ends at once when it is stopped, before it began or while it lasts', async () => {
  const stop = new AbortController()
  const pausing = pause(realTime.after, LONG, stop.signal)

  stop.abort()

  await expect(pausing).resolves.toBeUndefined()
  await expect(pause(realTime.after, LONG, stop.signal)).resolves.toBeUndefined()
})

test('pause() ends when its time is over', async () => {
  await expect(pause(realTime.after, 0)).resolves.toBeUndefined()
})

import { expect, test } from 'vitest'
import { untilAborted } from '../../../contracts/run/scheduling.ts'

test('untilAborted() returns the result of the work', async () => {
  expect(await untilAborted(undefined, async () => 1)).toBe(1)
  expect(await untilAborted(new AbortController().signal, async () => 2)).toBe(2)
})

test('untilAborted() rejects on abort, even if the work never ends', async () => {
  const abortion = new AbortController()
  const ended = untilAborted(abortion.signal, () => new Promise(() => {}))

  abortion.abort(new Error('Enough'))

  await expect(ended).rejects.toThrow('Enough')
})

test('untilAborted() does not start aborted work', async () => {
  let begun = false
  const work = async () => {
    begun = true
  }

  await expect(untilAborted(AbortSignal.abort(new Error('Enough')), work)).rejects.toThrow('Enough')
  expect(begun).toBe(false)
})

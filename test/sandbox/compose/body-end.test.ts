import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { withEnd } from '../../../sandbox/compose/world-registry.ts'

const response = (body: string | ReadableStream<Uint8Array> | null) => ({ status: 200, headers: {}, body })
const bytes = (written: string) => new TextEncoder().encode(written)

test('the end of a body is heard of once: when it was read, when it fails, when nobody reads on', async () => {
  let ends = 0
  const follow = (body: ReadableStream<Uint8Array> | null) => withEnd(response(body), () => ends++).body
  const whole = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes('abc'))
      controller.close()
    },
  })
  const read = follow(whole)
  expect(ends).toBe(0)
  expect(typeof read === 'object' && read && (await text(read))).toBe('abc')
  expect(ends).toBe(1)

  const failing = follow(
    new ReadableStream({ pull: (controller) => controller.error(new Error('it broke')) }),
  )
  await expect(typeof failing === 'object' && failing && text(failing)).rejects.toThrow('it broke')
  expect(ends).toBe(2)

  let isCancelled = false
  const endless = follow(new ReadableStream({ cancel: () => void (isCancelled = true) }))
  await (typeof endless === 'object' && endless?.cancel())
  expect([ends, isCancelled]).toEqual([3, true])

  follow(null)
  expect(ends).toBe(4)
})

import { expect, test } from 'vitest'
import { createLazyTransport } from '../../../../sandbox/adapters/transport/lazy-transport.ts'
import type { UndiciTransport } from '../../../../sandbox/adapters/transport/undici-transport.ts'
import type { Exchange } from '../../../../sandbox/engine/core/ports.ts'

const MESSAGE = { url: 'https://receiver.test/', headers: {}, body: new Uint8Array() }

function openLazily() {
  const calls: string[] = []
  const loaded: UndiciTransport = {
    async post(): Promise<Exchange> {
      calls.push('post')
      const outcome = { kind: 'unanswered', reason: 'interrupted', message: 'stopped' } as const
      return { outcome, timings: { connectedMs: null, answeredMs: null, totalMs: 0 }, flags: [] }
    },
    async close() {
      calls.push('close')
    },
  }
  const transport = createLazyTransport(async () => {
    calls.push('load')
    return loaded
  })
  return { transport, calls }
}

test('a lazy transport is loaded once when the first message is sent', async () => {
  const { transport, calls } = openLazily()

  const before = [...calls]
  await Promise.all([transport.post(MESSAGE, 1), transport.post(MESSAGE, 1)])
  await transport.close()

  expect([before, calls]).toEqual([[], ['load', 'post', 'post', 'close']])
})

test('an unused lazy transport closes without loading the real transport', async () => {
  const { transport, calls } = openLazily()

  await transport.close()

  expect(calls).toEqual([])
})

test('a closed lazy transport loads and closes the real transport before the next message', async () => {
  const { transport, calls } = openLazily()
  await transport.close()

  await transport.post(MESSAGE, 1)

  expect(calls).toEqual(['load', 'close', 'post'])
})

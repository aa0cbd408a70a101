import { expect, test } from 'vitest'
import { manualTime } from '../../support/test-sandbox.ts'
import { createInProcessTransport } from '../../../sandbox/in-process/in-process-transport.ts'

const message = { url: 'https://receiver.test/items', headers: {}, body: new Uint8Array() }

test('an in-process POST ends without a response when the receiver misses the deadline', async () => {
  const time = manualTime()
  const transport = createInProcessTransport(() => () => new Promise<Response>(() => {}), time)
  const posted = transport.post(message, 10_000)
  time.move(10_000)

  expect(await posted).toMatchObject({
    outcome: {
      kind: 'unanswered',
      reason: 'header_timeout',
      message: 'The receiver did not answer within 10000 ms',
    },
    timings: { connectedMs: 0, answeredMs: null, totalMs: 10_000 },
  })
})

test('an in-process POST is refused when no receiver is registered at the URL', async () => {
  const transport = createInProcessTransport(() => undefined, manualTime())

  expect(await transport.post(message, 10_000)).toMatchObject({
    outcome: {
      kind: 'unanswered',
      reason: 'connect_refused',
      message: expect.stringContaining('No receiver listens at https://receiver.test/items'),
    },
    timings: { connectedMs: null, answeredMs: null, totalMs: 0 },
  })
})

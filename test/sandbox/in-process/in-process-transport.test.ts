import { expect, test } from 'vitest'
import { createInProcessTransport } from '../../../sandbox/in-process/in-process-transport.ts'
import { manualTime } from '../../support/manual-time.ts'

const message = { url: 'https://receiver.test/items', headers: {}, body: new Uint8Array() }

test('a receiver that does not answer within the deadline has answered too late', async () => {
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

test('where no receiver was given, nobody listens', async () => {
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

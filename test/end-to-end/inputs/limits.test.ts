import { createHook } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { rawCall } from '../../support/stored-sandbox.ts'
import { duringTest } from '../../support/lifetimes.ts'
import { startWalk } from '../../support/walk.ts'

const GIGABYTE = 1e9
const SIDES = ['service', 'bench'] as const

test.each(SIDES)('the listener %s rejects a chunked gigabyte body after 256 KB', async (side) => {
  const { sandbox } = await duringTest(startWalk())
  const [url, path] =
    side === 'service' ? [sandbox.serviceUrl, '/tokens'] : [sandbox.benchUrl, '/control/faults']
  const { port, host } = new URL(url)
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Authorization: Bearer a-token-of-the-run',
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ]
  const piece = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`)
  const socket = connect(Number(port), '127.0.0.1')
  const closed = new Promise((resolve) => socket.on('close', resolve))
  const exchange = { answer: '', sent: 0 }
  const stored = () => [...sandbox.store.entries()].length
  const before = stored()
  const sendNext = () => {
    while (exchange.answer === '' && exchange.sent < GIGABYTE) {
      exchange.sent += 65_536
      if (!socket.write(piece)) return
    }
  }
  socket.on('data', (data) => {
    exchange.answer += data.toString()
    socket.end()
  })
  socket.on('drain', sendNext)
  socket.on('error', () => {})
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  sendNext()
  await closed

  expect(exchange.answer).toMatch(/^HTTP\/1.1 413 /)
  expect([exchange.sent < GIGABYTE, stored()]).toEqual([true, before])
})

/** Collects the delays of all timers that are created during the test. */
function watchTimers(): ReadonlySet<number> {
  const delays = new Set<number>()
  const hook = createHook({
    init(...[, type, , timer]) {
      const delay: unknown = Reflect.get(timer, '_idleTimeout')
      if (type === 'Timeout' && typeof delay === 'number') delays.add(delay)
    },
  })
  hook.enable()
  onTestFinished(() => void hook.disable())
  return delays
}

test('both listeners limit headers to 10 s and 16 KB, bodies to 30 s, and connections to 1,000', async () => {
  const { sandbox } = await duringTest(startWalk())
  const servers: Server[] = []
  const note = (message: unknown) => servers.push((message as { readonly server: Server }).server)
  subscribe('http.server.request.start', note)
  onTestFinished(() => void unsubscribe('http.server.request.start', note))
  const delays = watchTimers()

  for (const url of [sandbox.serviceUrl, sandbox.benchUrl]) {
    const headers = ['Content-Type: application/json', 'Authorization: Bearer a-token-of-the-run']
    const path = url === sandbox.serviceUrl ? '/tokens' : '/control/faults'
    await rawCall(url, { path, headers, body: '{}' })
    const long = await rawCall(url, { path, headers: [`X-Long: ${'x'.repeat(16_384)}`] })
    expect(long.status).toBe(431)
  }

  expect(servers.map(({ headersTimeout, maxConnections }) => [headersTimeout, maxConnections])).toEqual([
    [10_000, 1_000],
    [10_000, 1_000],
  ])
  expect(delays.has(30_000)).toBe(true)
})

import { expect, test } from 'vitest'
import { testAuthority } from '../support/certificates.ts'
import { onRequest } from '../support/scripted-server.ts'
import { tlsServer } from '../support/tls-server.ts'
import { message, openTransport, summary } from '../support/transport.ts'

// What every fault of a receiver comes to is in receiver-faults.test.ts.

const root = await testAuthority()
const certificate = await root.issue()

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

test('post() sends the message as it is', async () => {
  let seen = ''
  const server = await tlsServer(
    certificate,
    onRequest((socket, request) => {
      seen = request.text
      socket.write(OK)
    }),
  )

  await openTransport(root.pem).post(message(`${server.url}?a=%20b&c`, Buffer.from('{"a": 1}\n')), 5_000)

  expect(seen.split('\r\n')).toEqual([
    'POST /hooks/7d1c?a=%20b&c HTTP/1.1',
    `host: localhost:${server.port}`,
    'connection: keep-alive',
    'content-type: application/json',
    'content-length: 9',
    '',
    '{"a": 1}\n',
  ])
})

test('post() joins the chunks of a body', async () => {
  const server = await tlsServer(
    certificate,
    onRequest((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'),
    ),
  )

  const { outcome } = await openTransport(root.pem).post(message(server.url), 5_000)

  expect(outcome.kind === 'answered' && Buffer.from(outcome.body).toString()).toBe('abcde')
})

test('post() does not reuse a connection whose message was not taken', async () => {
  let isFirst = true
  const server = await tlsServer(certificate, (socket, reset) => {
    if (!isFirst) return onRequest((next) => next.write(OK))(socket, reset)
    isFirst = false
    socket.once('data', () => {
      socket.pause()
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')
    })
  })
  const transport = openTransport(root.pem)
  const first = await transport.post(message(server.url, Buffer.alloc(5_000_000)), 5_000)

  const second = await transport.post(message(server.url), 5_000)

  expect([summary(first), summary(second), server.accepted.length]).toEqual(['413', '200', 2])
})

test('post() reports a refused connection, and says what to do', async () => {
  const exchange = await openTransport(root.pem).post(message('https://127.0.0.1:1/'), 5_000)

  expect(exchange.outcome).toEqual({
    kind: 'unanswered',
    reason: 'connect_refused',
    message:
      'Cannot connect to "127.0.0.1:1": nothing listens there; start the receiver, or correct the port',
  })
})

test('post() tells when the phases of an exchange were reached', async () => {
  const reached = Promise.withResolvers<void>()
  const server = await tlsServer(
    certificate,
    onRequest(() => reached.resolve()),
  )
  const transport = openTransport(root.pem)
  const pending = transport.post(message(server.url), 60_000)
  await reached.promise

  await transport.close()

  const { timings } = await pending
  expect(timings).toMatchObject({
    connectedMs: expect.any(Number),
    answeredMs: null,
    totalMs: expect.any(Number),
  })
})

test('post() tells how a connection was made only of the exchange that it was made for', async () => {
  const server = await tlsServer(
    certificate,
    onRequest((socket) => socket.write(OK)),
  )
  const transport = openTransport(root.pem)

  const { timings: fresh } = await transport.post(message(server.url), 60_000)
  const { timings: kept } = await transport.post(message(server.url), 60_000)

  const { resolvedMs, reachedMs, connectedMs, answeredMs, totalMs } = fresh
  const times = [resolvedMs, reachedMs, connectedMs, answeredMs, totalMs].map((time) => time ?? expect.fail())
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(Object.keys(kept).toSorted()).toEqual(['answeredMs', 'connectedMs', 'totalMs'])
})

test('post() tells how far a connection came that could not be made', async () => {
  const { timings } = await openTransport(root.pem).post(message('https://localhost:1/'), 60_000)

  expect(timings).toEqual({
    resolvedMs: expect.any(Number),
    connectedMs: null,
    answeredMs: null,
    totalMs: expect.any(Number),
  })
})

import { expect, test } from 'vitest'
import { testAuthority } from '../support/certificates.ts'
import { onRequest, tcpServer, tlsServer, type Serve } from '../support/tls-server.ts'
import { DEADLINE_MS, message, openTransport, summary } from '../support/transport.ts'

const root = await testAuthority()
const certificate = await root.issue()

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
const CLOSING = 'HTTP/1.1 200 OK\r\nConnection: close\r\n'

/** Ends the connection after these bytes, in order. */
const closeAfter = (bytes: string): Serve => onRequest((socket) => socket.end(bytes))

/** Cuts the connection after these bytes, in the way a crash does. */
const resetAfter = (bytes: string): Serve =>
  onRequest((socket, { reset }) => (bytes === '' ? reset() : socket.write(bytes, () => setImmediate(reset))))

test.each([
  ['closes before it answers', closeAfter(''), 'closed_without_response'],
  ['closes in its headers', closeAfter('HTTP/1.1 200 OK\r\nContent-Le'), 'closed_without_response'],
  ['closes in its body', closeAfter(`${HEAD}abc`), '200 response_incomplete'],
  ['closes in a chunk', closeAfter(`${CHUNKED}5\r\nab`), '200 response_incomplete'],
  [
    'closes in a closing body',
    closeAfter(`${CLOSING}Content-Length: 9\r\n\r\nabc`),
    '200 response_incomplete',
  ],
  [
    'closes in a closing chunk',
    closeAfter(`${CLOSING}Transfer-Encoding: chunked\r\n\r\n5\r\nab`),
    '200 response_incomplete',
  ],
  ['ends its body by closing', closeAfter(`${CLOSING}\r\nabc`), '200'],
  [
    'fails and closes',
    closeAfter('HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\nabc'),
    '500 response_incomplete',
  ],
  ['resets before it answers', resetAfter(''), 'reset'],
  ['resets in its headers', resetAfter('HTTP/1.1 200 OK\r\nContent-Le'), 'reset'],
  ['resets in its body', resetAfter(`${HEAD}abc`), '200 response_incomplete'],
  ['resets in a chunk', resetAfter(`${CHUNKED}5\r\nab`), '200 response_incomplete'],
  [
    'resets in a closing chunk',
    resetAfter(`${CLOSING}Transfer-Encoding: chunked\r\n\r\n5\r\nab`),
    '200 response_incomplete',
  ],
  [
    'fails and resets',
    resetAfter('HTTP/1.1 500 X\r\nContent-Length: 10\r\n\r\nabc'),
    '500 response_incomplete',
  ],
])('post() reports a receiver that %s', async (_, serve, expected) => {
  const server = await tlsServer(certificate, serve)

  const exchange = await openTransport(root.pem).post(message(server.url), 5_000)

  expect(summary(exchange)).toBe(expected)
})

/** Writes the bytes one at a time, for as long as the connection lasts. */
function drip(head: string, rest: string): Serve {
  return onRequest((socket) => {
    socket.write(head)
    let index = 0
    const next = () => {
      if (!socket.writable) return
      socket.write(rest[index++ % rest.length] ?? '')
      setTimeout(next, 10)
    }
    next()
  })
}

const silence: Serve = onRequest(() => undefined)
const answerUnread: Serve = (socket) => socket.pause()

test.each([
  ['does not answer', silence, 'header_timeout'],
  ['drips its headers', drip('HTTP/1.1 200 OK\r\nX: ', 'x'), 'header_timeout'],
  ['drips early hints', drip('', 'HTTP/1.1 103 Hi\r\n\r\n'), 'header_timeout'],
  ['drips its body', drip(CLOSING, '\r\nx'.padEnd(9_999, 'x')), '200 response_incomplete'],
])('post() ends at the deadline with a receiver that %s', async (_, serve, expected) => {
  const server = await tlsServer(certificate, serve)

  const exchange = await openTransport(root.pem).post(message(server.url), DEADLINE_MS)

  expect(summary(exchange)).toBe(expected)
  expect(exchange.timings.totalMs).toBeGreaterThan(DEADLINE_MS - 1)
  expect(exchange.timings.totalMs).toBeLessThan(DEADLINE_MS + 250)
})

test('post() ends at the deadline with a receiver that does not read', async () => {
  const server = await tlsServer(certificate, answerUnread)
  const large = Buffer.alloc(20_000_000, 'x')

  const exchange = await openTransport(root.pem).post(message(server.url, large), DEADLINE_MS)

  expect(summary(exchange)).toBe('send_timeout')
})

test('post() ends at the deadline with a receiver that does not shake hands', async () => {
  const server = await tcpServer(() => undefined)

  const exchange = await openTransport(root.pem).post(message(server.url), DEADLINE_MS)

  expect(summary(exchange)).toBe('tls_timeout')
})

test('post() closes the connection when the deadline has passed', async () => {
  const ended = Promise.withResolvers<boolean>()
  const server = await tlsServer(certificate, (socket) =>
    socket.on('close', () => ended.resolve(true)).resume(),
  )

  await openTransport(root.pem).post(message(server.url), DEADLINE_MS)

  expect(await ended.promise).toBe(true)
})

test('post() tells an early refusal from a broken connection', async () => {
  const server = await tlsServer(certificate, (socket) => {
    socket.once('data', () => {
      socket.pause()
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')
    })
  })

  const exchange = await openTransport(root.pem).post(message(server.url, Buffer.alloc(5_000_000)), 5_000)

  expect(summary(exchange)).toBe('413')
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
  const server = await tlsServer(certificate, silence)

  const { timings } = await openTransport(root.pem).post(message(server.url), DEADLINE_MS)

  expect(timings).toEqual({ connectedMs: expect.any(Number), answeredMs: null, totalMs: expect.any(Number) })
})

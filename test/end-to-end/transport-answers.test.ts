import { expect, test } from 'vitest'
import type { Answered, Exchange } from '../../sandbox/engine/core/ports.ts'
import { testAuthority } from '../support/certificates.ts'
import { onRequest, tlsServer } from '../support/tls-server.ts'
import { DEADLINE_MS, message, openTransport, summary } from '../support/transport.ts'

const root = await testAuthority()
const certificate = await root.issue()

/** What comes of an answer that is written as it stands, on a connection that then stays open. */
async function exchangeFor(answer: string | Buffer, deadlineMs = 5_000): Promise<Exchange> {
  const server = await tlsServer(
    certificate,
    onRequest((socket) => socket.write(answer, 'latin1')),
  )
  return openTransport(root.pem).post(message(server.url), deadlineMs)
}

async function answerFor(answer: string | Buffer): Promise<Answered> {
  const { outcome } = await exchangeFor(answer)
  if (outcome.kind === 'unanswered') throw new Error(outcome.message)
  return outcome
}

const text = ({ body }: Answered) => Buffer.from(body).toString('latin1')
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

test.each([
  200, 201, 202, 206, 299, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422,
  429, 500, 502, 503, 504, 599, 600, 999,
])('post() reports status %i', async (status) => {
  expect(summary(await exchangeFor(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`))).toBe(`${status}`)
})

test.each([204, 304])('post() waits for no body after status %i', async (status) => {
  expect(summary(await exchangeFor(`HTTP/1.1 ${status} X\r\n\r\n`))).toBe(`${status}`)
})

test.each([
  ['no reason phrase', 'HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n', '200'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', '200'],
  ['a status below 100', 'HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n', '99 response_incomplete'],
  ['an early hint first', `HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${OK}`, '200'],
  ['a status beyond 999', 'HTTP/1.1 1000 X\r\n\r\n', 'protocol_error'],
  ['a status of two digits', 'HTTP/1.1 99 X\r\n\r\n', 'protocol_error'],
  ['100 Continue, not asked for', `HTTP/1.1 100 Continue\r\n\r\n${OK}`, 'protocol_error'],
  ['random bytes', '\x93\x07\xfe\x00\xaa\xbb\r\n\r\n', 'protocol_error'],
  ['HTTP/0.9', '<html>hello</html>\r\n\r\n', 'protocol_error'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'protocol_error'],
  [
    'both framings',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
    'protocol_error',
  ],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok', 'protocol_error'],
  ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'protocol_error'],
  ['a bad chunk size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n', 'protocol_error'],
  ['a header of 64 KiB', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`, 'protocol_error'],
  ['a NUL in a header', 'HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n', 'protocol_error'],
  ['a protocol switch', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'unexpected_upgrade'],
  ['a bare status 101', 'HTTP/1.1 101 X\r\n\r\n', 'unexpected_upgrade'],
  ['endless early hints', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(300), 'header_timeout'],
  [
    'a body of 70000 bytes',
    `HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n${'x'.repeat(70_000)}`,
    '200 response_truncated',
  ],
  ['more than its length says', `${OK}junk`, '200'],
  ['a second answer', `${OK}${OK}`, '200'],
])('post() judges %s', async (_, answer, expected) => {
  expect(summary(await exchangeFor(answer))).toBe(expected)
})

test.each([
  ['a body that never comes', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', '200 response_incomplete'],
  [
    'a length of 2^63',
    'HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\nx',
    '200 response_incomplete',
  ],
  [
    'a failed body that never comes',
    'HTTP/1.1 500 X\r\nContent-Length: 5\r\n\r\n',
    '500 response_incomplete',
  ],
  ['half a status line', 'HTTP/1.1 20', 'header_timeout'],
  ['early hints and no more', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'header_timeout'],
])('post() ends at the deadline with %s', async (_, answer, expected) => {
  const exchange = await exchangeFor(answer, DEADLINE_MS)

  expect(summary(exchange)).toBe(expected)
  expect(exchange.timings.totalMs).toBeGreaterThan(DEADLINE_MS - 1)
  expect(exchange.timings.totalMs).toBeLessThan(DEADLINE_MS + 250)
})

test('post() keeps the body as it was received, whatever its coding', async () => {
  const gzip = Buffer.from('1f8b080000000000000003cbcfce07', 'hex')
  const coding = `${'gzip, '.repeat(100)}gzip`
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${gzip.length}\r\n\r\n`

  const { body } = await answerFor(Buffer.concat([Buffer.from(head), gzip]))

  expect(Buffer.from(body)).toEqual(gzip)
})

test('post() keeps bytes that are no text', async () => {
  const answer = await answerFor('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n\xff\xfe\x00\x1b[m')

  expect(text(answer)).toBe('\xff\xfe\x00\x1b[m')
})

test('post() joins the chunks of a body', async () => {
  const answer = await answerFor(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
  )

  expect(text(answer)).toBe('abcde')
})

test('post() keeps 64 KiB of a body and hangs up on the rest', async () => {
  const server = await tlsServer(
    certificate,
    onRequest((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = () => void (socket.writable && socket.write(Buffer.alloc(65_536, 'x'), pour))
      pour()
    }),
  )

  const exchange = await openTransport(root.pem).post(message(server.url), 5_000)

  expect([summary(exchange), exchange.outcome.kind === 'answered' && exchange.outcome.body.length]).toEqual([
    '200 response_truncated',
    65_536,
  ])
})

test('post() keeps headers as pairs, in order and as sent', async () => {
  const lines = [
    'X-Case: A',
    'set-cookie: a=1',
    'Set-Cookie: b=2',
    '__proto__: p',
    'constructor: c',
    'x-latin: \xe9',
  ]

  const { headers } = await answerFor(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`)

  expect(headers.map((pair) => pair.join(': '))).toEqual([...lines, 'Content-Length: 0'])
})

test('post() keeps the first hundred of three thousand headers', async () => {
  const { headers } = await answerFor(
    `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(3_000)}Content-Length: 0\r\n\r\n`,
  )

  expect(headers.length).toBe(100)
})

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

test.each(['https://localhost:1/', 'http://127.0.0.1:1/', 'file:///etc/passwd', '/relative', '//localhost/'])(
  'post() does not follow a redirect to %s',
  async (location) => {
    const server = await tlsServer(
      certificate,
      onRequest((socket) =>
        socket.write(`HTTP/1.1 302 X\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
      ),
    )

    const exchange = await openTransport(root.pem).post(message(server.url), 5_000)

    expect([summary(exchange), server.accepted.length]).toEqual(['302', 1])
  },
)

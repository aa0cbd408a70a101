import { expect, test } from 'vitest'
import { isBeyondLoopback, useListeners, type Expected } from '../../support/listeners.ts'

const { expectRefusal, send } = useListeners()

test.each<[string, string, Expected, Expected]>([
  ['a double slash', '//x', 404, 404],
  ['a parent segment (..)', '/../', 404, 400],
  ['an escaped parent segment (%2e%2e)', '/%2e%2e/x', 404, 400],
  ['an escaped NUL', '/%00', 404, 404],
  ['a byte that is not UTF-8', '/%ff', 404, 404],
  ['70,000 characters', `/${'a'.repeat(70_000)}`, 431, 431],
  ['a fragment', '/#x', 404, 200],
  ['an escaped slash', '/webhooks%2fx', 404, 404],
])('a request is rejected when its path has %s', async (...[_, path, service, bench]) => {
  await expectRefusal('service', { method: 'GET', path }, service)
  if (path !== '/#x') await expectRefusal('bench', { method: 'GET', path }, bench)
})

const HEAD =
  'Host: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nConnection: close\r\n'

test.each([
  [
    'a Content-Length header and a chunked body',
    `POST PATH HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'two Content-Length headers',
    `POST PATH HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  ],
  ['a negative Content-Length', `POST PATH HTTP/1.1\r\n${HEAD}Content-Length: -2\r\n\r\n{}`],
  [
    'a chunk without a size',
    `POST PATH HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ],
  ['two Host headers', 'GET PATH HTTP/1.1\r\nHost: HOST\r\nHost: evil.test\r\nConnection: close\r\n\r\n'],
  ['no host', 'GET PATH HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['no Host header in HTTP/1.0', 'GET PATH HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
  ['a NUL in a header', 'GET PATH HTTP/1.1\r\nHost: HOST\r\nA: b\u0000c\r\nConnection: close\r\n\r\n'],
  ['a folded header', 'GET PATH HTTP/1.1\r\nHost: HOST\r\nA: b\r\n c: d\r\nConnection: close\r\n\r\n'],
  ['an origin of another', `GET http://evil.test/x HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n'],
])('a request with %s is rejected', async (what, raw) => {
  const expected = what === 'an origin of another' ? 403 : 400
  await expectRefusal('service', { raw }, expected)
  await expectRefusal('bench', { raw }, expected)
})

test.each<[string, readonly string[]]>([
  ['to another host', ['Host: evil.test']],
  ['from a page of another origin', ['Host: HOST', 'Origin: https://evil.test']],
  ['from a page without an origin', ['Host: HOST', 'Origin: null']],
  ['from a page of another site', ['Host: HOST', 'Sec-Fetch-Site: same-site']],
  ['from a delivery of the sandbox', ['Host: HOST', 'User-Agent: Hookbench-Delivery/0.1']],
])('a call %s is rejected with 403', async (_, headers) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    await expectRefusal('service', { method, headers }, 403)
    await expectRefusal('bench', { method, headers }, 403)
    await expectRefusal('bench', { method, headers, path: '/control/events' }, 403)
  }
})

test('an upgrade to a WebSocket is rejected', async () => {
  const upgrade = [
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: eA==',
  ]
  const service = await send('service', { method: 'GET', headers: upgrade })
  const bench = await send('bench', { method: 'GET', headers: upgrade, path: '/control/events?x=1' })

  expect([service.status, bench.status]).toEqual([200, 422])
})

// Node closes a TLS connection with 2,000 unanswered requests, so this test excludes TLS.
test.skipIf(isBeyondLoopback)('2,000 pipelined requests on a connection are answered in order', async () => {
  const one = 'GET /control/clock HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n'
  const raw = `${`${one}\r\n`.repeat(1_999)}${one}Connection: close\r\n\r\n`

  const { headers, body } = await send('bench', { raw })

  expect(`${headers}${String(body)}`.match(/HTTP\/1\.1 200/g)?.length).toBe(2_000)
})

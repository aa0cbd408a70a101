import { expect, test } from 'vitest'
import { isBeyondLoopback, JSON_TYPE, useListeners, type Expected } from '../../support/listeners.ts'

// What no listener takes, over a socket: the exact outcome, and a store that is what it was. What takes part of a sandbox to
// show, such as two registrations at once, is tested where that part is.

const { expectRefusal, send, stored } = useListeners()

test.each<[string, readonly string[], Expected, Expected]>([
  ['none', [], 403, 401],
  ['an empty one', ['Authorization: '], 403, 401],
  ['no token', ['Authorization: Bearer'], 403, 401],
  ['another', ['Authorization: Bearer x'], 403, 401],
  [
    'one that nobody signed',
    ['Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJzYW5kYm94In0.'],
    403,
    401,
  ],
  ['two', ['Authorization: Bearer x', 'Authorization: Bearer y'], 403, 401],
  ['one of 15,000 characters', [`Authorization: Bearer ${'x'.repeat(15_000)}`], 403, 401],
  ['one of 1 MB', [`Authorization: Bearer ${'x'.repeat(1e6)}`], 431, 431],
  ['credentials', [`Authorization: Basic ${Buffer.from('x:y').toString('base64')}`], 403, 401],
])('a call with %s for a token is refused', async (...[_, headers, service, bench]) => {
  await expectRefusal('service', { headers: [...headers, JSON_TYPE], body: '{}', authorized: false }, service)
  await expectRefusal('bench', { headers: [...headers, JSON_TYPE], body: '{}', authorized: false }, bench)
})

test.each<[string, string, Expected, Expected]>([
  ['TRACE', '', 404, 405],
  ['PUT', '', 404, 405],
  ['PATCH', '', 404, 405],
  ['OPTIONS', '', 404, 403],
  ['QUERY', '', 404, 405],
  ['FOO', '', 400, 400],
])('%s where it is not taken is refused', async (...[method, _, service, bench]) => {
  await expectRefusal('service', { method }, service)
  await expectRefusal('bench', { method }, bench)
  const { headers } = await send('bench', { method: 'PUT' })
  expect(headers.toLowerCase()).toContain('allow: ')
  expect(headers.toLowerCase()).not.toContain('access-control')
})

test('headers that name another method change nothing', async () => {
  const headers = [
    JSON_TYPE,
    'X-HTTP-Method-Override: DELETE',
    'X-Method-Override: DELETE',
    'X-HTTP-Method: DELETE',
  ]
  const before = stored()

  const { status } = await send('bench', { method: 'GET', headers })

  expect([status, stored() === before]).toEqual([200, true])
})

test.each<[string, string, Expected, Expected]>([
  ['a doubled slash', '//x', 404, 404],
  ['a step up', '/../', 404, 400],
  ['an escaped step up', '/%2e%2e/x', 404, 400],
  ['an escaped NUL', '/%00', 404, 404],
  ['a byte that is no UTF-8', '/%ff', 404, 404],
  ['70,000 characters', `/${'a'.repeat(70_000)}`, 431, 431],
  ['a fragment', '/#x', 404, 200],
  ['its own slash escaped', '/webhooks%2fx', 404, 404],
])('a path with %s is refused', async (...[_, path, service, bench]) => {
  await expectRefusal('service', { method: 'GET', path }, service)
  if (path !== '/#x') await expectRefusal('bench', { method: 'GET', path }, bench)
})

const HEAD =
  'Host: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nConnection: close\r\n'

test.each([
  [
    'a length and chunks',
    `POST PATH HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  ['two lengths', `POST PATH HTTP/1.1\r\n${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['a negative length', `POST PATH HTTP/1.1\r\n${HEAD}Content-Length: -2\r\n\r\n{}`],
  [
    'a chunk without a size',
    `POST PATH HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ],
  ['two hosts', 'GET PATH HTTP/1.1\r\nHost: HOST\r\nHost: evil.test\r\nConnection: close\r\n\r\n'],
  ['no host', 'GET PATH HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['no host in HTTP/1.0', 'GET PATH HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
  ['a NUL in a header', 'GET PATH HTTP/1.1\r\nHost: HOST\r\nA: b\u0000c\r\nConnection: close\r\n\r\n'],
  ['a folded header', 'GET PATH HTTP/1.1\r\nHost: HOST\r\nA: b\r\n c: d\r\nConnection: close\r\n\r\n'],
  ['an origin of another', `GET http://evil.test/x HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a TLS handshake', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n'],
])('a request with %s is refused', async (what, raw) => {
  const expected = what === 'an origin of another' ? 403 : 400
  await expectRefusal('service', { raw }, expected)
  await expectRefusal('bench', { raw }, expected)
})

test.each<[string, readonly string[]]>([
  ['of another host', ['Host: evil.test']],
  ['of a page of another origin', ['Host: HOST', 'Origin: https://evil.test']],
  ['of a page without an origin', ['Host: HOST', 'Origin: null']],
  ['of a page of another site', ['Host: HOST', 'Sec-Fetch-Site: same-site']],
  ["of a delivery of the sandbox's own", ['Host: HOST', 'User-Agent: Hookbench-Delivery/0.1']],
])('a call %s is refused before anything looks at it', async (_, headers) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    await expectRefusal('service', { method, headers }, 403)
    await expectRefusal('bench', { method, headers }, 403)
    await expectRefusal('bench', { method, headers, path: '/control/events' }, 403)
  }
})

test('an upgrade to a WebSocket is not made', async () => {
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

// Node breaks off a TLS connection whose caller has so many requests under way.
test.skipIf(isBeyondLoopback)(
  '2,000 requests on one connection are all answered, one after the other',
  async () => {
    const one = 'GET /control/clock HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n'
    const raw = `${`${one}\r\n`.repeat(1_999)}${one}Connection: close\r\n\r\n`

    const { headers, body } = await send('bench', { raw })

    expect(`${headers}${String(body)}`.match(/HTTP\/1\.1 200/g)?.length).toBe(2_000)
  },
)

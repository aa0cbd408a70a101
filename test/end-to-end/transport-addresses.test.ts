import { expect, test } from 'vitest'
import type { Lookup } from '../../sandbox/adapters/transport/guarded-connector.ts'
import { createEgress } from '../../sandbox/engine/delivery/egress.ts'
import { testAuthority } from '../support/certificates.ts'
import { onRequest, tcpServer, tlsServer } from '../support/tls-server.ts'
import { DEADLINE_MS, message, openTransport, summary } from '../support/transport.ts'

const root = await testAuthority()
const certificate = await root.issue({ hosts: ['localhost', 'receiver.test', 'items.localhost'] })
const answer = onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))

const addresses = (...list: readonly string[]) =>
  list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const resolvesTo =
  (...list: readonly string[]): Lookup =>
  (_name, _options, callback) =>
    callback(null, addresses(...list))

const failsWith =
  (code: string): Lookup =>
  (_name, _options, callback) =>
    callback(Object.assign(new Error(code), { code }), [])

/** A name server that never answers. */
const mute: Lookup = () => undefined

test.each<[string, Lookup, string]>([
  ['does not exist', failsWith('ENOTFOUND'), 'dns_not_found'],
  ['has no addresses', resolvesTo(), 'dns_not_found'],
  ['cannot be resolved now', failsWith('EAI_AGAIN'), 'dns_failed'],
  ['cannot be resolved for another reason', failsWith('ESERVFAIL'), 'dns_failed'],
  ['is not resolved in time', mute, 'dns_timeout'],
  ['is resolved with no file left', failsWith('EMFILE'), 'out_of_resources'],
  ['leads to a metadata service', resolvesTo('169.254.169.254'), 'blocked_address'],
  ['leads to a private address', resolvesTo('10.0.0.1'), 'blocked_address'],
  ['leads to nowhere', resolvesTo('0.0.0.0'), 'blocked_address'],
  ['leads here and to a metadata service', resolvesTo('127.0.0.1', '169.254.169.254'), 'blocked_address'],
  ['leads here and to no address', resolvesTo('127.0.0.1', 'garbage'), 'blocked_address'],
])('post() does not connect when the name %s', async (_, lookup, expected) => {
  const server = await tcpServer(() => undefined)

  const exchange = await openTransport(root.pem, { lookup }).post(message(server.url), DEADLINE_MS)

  expect([summary(exchange), server.accepted.length]).toEqual([expected, 0])
})

test('post() judges a name anew for each connection', async () => {
  let lookup = resolvesTo('127.0.0.1')
  const server = await tlsServer(
    certificate,
    onRequest((socket) => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')),
  )
  const transport = openTransport(root.pem, { lookup: (...query) => lookup(...query) })
  const before = await transport.post(message(server.url), 5_000)

  lookup = resolvesTo('169.254.169.254')

  const after = await transport.post(message(server.url), 5_000)
  expect([summary(before), summary(after), server.accepted.length]).toEqual(['200', 'blocked_address', 1])
})

test('post() tries the next address of a name when the first refuses', async () => {
  const server = await tlsServer(certificate, answer)
  const transport = openTransport(root.pem, { lookup: resolvesTo('127.0.0.2', '127.0.0.1') })

  expect(summary(await transport.post(message(server.url), 5_000))).toBe('200')
})

test('post() takes every name under localhost for this machine', async () => {
  const asked: string[] = []
  const server = await tlsServer(certificate, answer)
  const lookup: Lookup = (name, options, callback) => {
    asked.push(name)
    resolvesTo('127.0.0.1')(name, options, callback)
  }

  const url = server.url.replace('localhost', 'items.localhost')
  const exchange = await openTransport(root.pem, { lookup }).post(message(url), 5_000)

  expect([summary(exchange), asked]).toEqual(['200', ['localhost']])
})

test('post() calls an allowed name', async () => {
  const server = await tlsServer(certificate, answer)
  const egress = createEgress({ allowTargets: ['receiver.test'], ownPorts: () => [] })
  const transport = openTransport(root.pem, { egress, lookup: resolvesTo('127.0.0.1') })

  expect(
    summary(await transport.post(message(server.url.replace('localhost', 'receiver.test')), 5_000)),
  ).toBe('200')
})

test.each(['localhost', '127.0.0.1', '127.1', '2130706433', '[::ffff:127.0.0.1]', 'receiver.test'])(
  'post() does not call the sandbox itself as %s',
  async (hostname) => {
    const server = await tcpServer(() => undefined)
    const egress = createEgress({ allowTargets: ['receiver.test'], ownPorts: () => [server.port] })
    const transport = openTransport(root.pem, { egress, lookup: resolvesTo('127.0.0.1') })

    const exchange = await transport.post(message(`https://${hostname}:${server.port}/`), 5_000)

    expect([summary(exchange), server.accepted.length]).toEqual(['target_is_sandbox', 0])
  },
)

test('post() judges an address without a look-up, too', async () => {
  const server = await tcpServer(() => undefined)
  const { judgeUrl } = createEgress({ allowTargets: [], ownPorts: () => [] })
  const { judgeAddress } = createEgress({ allowTargets: [], ownPorts: () => [server.port] })
  const transport = openTransport(root.pem, { egress: { judgeUrl, judgeAddress } })

  const exchange = await transport.post(message(`https://127.0.0.1:${server.port}/`), 5_000)

  expect([summary(exchange), server.accepted.length]).toEqual(['target_is_sandbox', 0])
})

test('post() judges the address that it reached before it says a word', async () => {
  let heard = 0
  let isConnecting = false
  const server = await tcpServer((socket) => socket.on('data', (data) => (heard += data.length)))
  const { judgeUrl, judgeAddress } = createEgress({ allowTargets: [], ownPorts: () => [] })
  const egress = {
    judgeUrl,
    judgeAddress: (address: string, port: number, hostname: string) => {
      if (isConnecting) return { code: 'blocked_address', message: 'Blocked on arrival' } as const
      isConnecting = true
      return judgeAddress(address, port, hostname)
    },
  }

  const exchange = await openTransport(root.pem, { egress }).post(
    message(server.url.replace('localhost', '127.0.0.1')),
    5_000,
  )

  expect([exchange.outcome, heard]).toEqual([
    { kind: 'unanswered', reason: 'blocked_address', message: 'Blocked on arrival' },
    0,
  ])
})

test.each([
  ['http://localhost/', 'URL is not HTTPS'],
  ['https://example.com/', 'Target "example.com" is not on this machine'],
])('post() refuses %s without trying', async (url, start) => {
  const { outcome } = await openTransport(root.pem).post(message(url), 5_000)

  expect(outcome).toMatchObject({ reason: 'blocked_address', message: expect.stringContaining(start) })
})

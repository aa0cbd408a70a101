import { expect, test } from 'vitest'
import type { Lookup } from '../../sandbox/adapters/transport/lookup.ts'
import { createEgress } from '../../sandbox/engine/delivery/egress.ts'
import { testAuthority } from '../support/certificates.ts'
import { onRequest } from '../support/scripted-server.ts'
import { tcpServer, tlsServer } from '../support/tls-server.ts'
import { message, openTransport, summary } from '../support/transport.ts'

const root = await testAuthority()
const certificate = await root.issue({ hosts: ['localhost', 'receiver.test', 'items.localhost'] })
const answer = onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))

const addresses = (...list: readonly string[]) =>
  list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

const resolvesTo =
  (...list: readonly string[]): Lookup =>
  (_name, _options, callback) =>
    callback(null, addresses(...list))

test('post() says that a name could not be looked up for want of resources', async () => {
  const lookup: Lookup = (_name, _options, callback) =>
    callback(Object.assign(new Error('no file left'), { code: 'EMFILE' }), [])

  const exchange = await openTransport(root.pem, { lookup }).post(message('https://localhost:1/'), 5_000)

  expect(summary(exchange)).toBe('out_of_resources')
})

test('post() reaches no IPv6 address from an IPv4 one, and says so', async () => {
  const { outcome } = await openTransport(root.pem).post(
    { ...message('https://[::1]:1/'), sourceAddress: '127.0.0.9' },
    5_000,
  )

  expect(outcome).toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('it is an IPv6 address, and 127.0.0.9 is not'),
  })
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

import { expect, test } from 'vitest'
import { failsWith, resolvesTo } from '../proofs/receiver-faults/stage.ts'
import { selfSigned, testAuthority } from '../support/certificates.ts'
import { onRequest } from '../support/scripted-server.ts'
import { message, openTransport, summary, tcpServer, tlsServer } from '../support/transport.ts'
import type { Lookup } from '../../sandbox/adapters/transport/lookup.ts'
import { createEgress } from '../../sandbox/engine/delivery/egress.ts'

const root = await testAuthority()

const certificate = await root.issue()
const answering = (...answer: Parameters<typeof onRequest>) => tlsServer(certificate, onRequest(...answer))

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

test('post() sends the message unchanged', async () => {
  let seen = ''
  const server = await answering((socket, request) => {
    seen = request.text
    socket.write(OK)
  })

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

test('post() does not reuse a connection when the server did not read the message', async () => {
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

test('post() reports connection times only for the exchange that opened the connection', async () => {
  const server = await answering((socket) => socket.write(OK))
  const transport = openTransport(root.pem)

  const { timings: fresh } = await transport.post(message(server.url), 60_000)
  const { timings: kept } = await transport.post(message(server.url), 60_000)

  const { resolvedMs, reachedMs, connectedMs, answeredMs, totalMs } = fresh
  const times = [resolvedMs, reachedMs, connectedMs, answeredMs, totalMs].map((time) => time ?? expect.fail())
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(Object.keys(kept).toSorted()).toEqual(['answeredMs', 'connectedMs', 'totalMs'])
})

const own = await selfSigned()

const answer = onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))

test('post() names the certificate command with the data folder when a certificate is self-signed', async () => {
  const server = await tlsServer(own, answer)

  const transport = openTransport(root.pem, { dataFolder: 'mine' })
  const { outcome } = await transport.post(message(server.url), 5_000)

  expect(outcome).toEqual({
    kind: 'unanswered',
    reason: 'tls_self_signed',
    message:
      `Cannot trust "localhost:${server.port}": the service rejects self-signed certificates. ` +
      `"npx hookbench cert localhost --data mine" issues one from the local CA`,
  })
})

test('post() applies the current CAs to each new connection', async () => {
  let cas: readonly string[] = []
  const server = await tlsServer(certificate, answer)
  const transport = openTransport('', { trustedCas: () => cas })
  const before = await transport.post(message(server.url), 5_000)

  cas = [root.pem]

  expect([summary(before), summary(await transport.post(message(server.url), 5_000))]).toEqual([
    'tls_incomplete_or_untrusted_chain',
    '200',
  ])
})

const namedCertificate = await root.issue({ hosts: ['localhost', 'receiver.test', 'items.localhost'] })

test('post() reports out_of_resources when a lookup fails for lack of file descriptors', async () => {
  const transport = openTransport(root.pem, { lookup: failsWith('EMFILE') })
  const exchange = await transport.post(message('https://localhost:1/'), 5_000)

  expect(summary(exchange)).toBe('out_of_resources')
})

test('post() reports that an IPv4 source address cannot reach an IPv6 target', async () => {
  const { outcome } = await openTransport(root.pem).post(
    { ...message('https://[::1]:1/'), sourceAddress: '127.0.0.9' },
    5_000,
  )

  expect(outcome).toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('it is an IPv6 address, but 127.0.0.9 is IPv4'),
  })
})

test('post() tries the next address of a host name when the first address refuses the connection', async () => {
  const server = await tlsServer(namedCertificate, answer)
  const transport = openTransport(root.pem, { lookup: resolvesTo('127.0.0.2', '127.0.0.1') })

  expect(summary(await transport.post(message(server.url), 5_000))).toBe('200')
})

test('post() resolves every host name under localhost to this machine', async () => {
  const asked: string[] = []
  const server = await tlsServer(namedCertificate, answer)
  const lookup: Lookup = (name, options, callback) => {
    asked.push(name)
    resolvesTo('127.0.0.1')(name, options, callback)
  }

  const url = server.url.replace('localhost', 'items.localhost')
  const exchange = await openTransport(root.pem, { lookup }).post(message(url), 5_000)

  expect([summary(exchange), asked]).toEqual(['200', ['localhost']])
})

test('post() checks the connected address before sending', async () => {
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

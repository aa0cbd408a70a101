import type { TlsOptions } from 'node:tls'
import { expect, test } from 'vitest'
import { selfSigned, testAuthority } from '../support/certificates.ts'
import { onRequest } from '../support/scripted-server.ts'
import { tlsServer } from '../support/tls-server.ts'
import { message, openTransport, summary } from '../support/transport.ts'

const root = await testAuthority()
const good = await root.issue()
const own = await selfSigned()

const answer = onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))

async function outcomeFor(options: TlsOptions, ca = root.pem, hostname = 'localhost'): Promise<string> {
  const server = await tlsServer(options, answer)
  const url = server.url.replace('localhost', hostname)
  return summary(await openTransport(ca).post(message(url), 5_000))
}

test.each([
  ['127.0.0.1', ['127.0.0.1'], '200'],
  ['127.0.0.1', ['localhost'], 'tls_hostname'],
  ['127.0.0.1', [], 'tls_no_san'],
  ['items.localhost', ['*.localhost', 'items.localhost'], '200'],
  ['localhost.', ['localhost'], '200'],
])('post() calls %s with a certificate for %j', async (hostname, hosts, expected) => {
  expect(await outcomeFor(await root.issue({ hosts }), root.pem, hostname)).toBe(expected)
})

test('post() names the command that issues a certificate, with the data folder', async () => {
  const server = await tlsServer(own, answer)

  const transport = openTransport(root.pem, { dataFolder: 'mine' })
  const { outcome } = await transport.post(message(server.url), 5_000)

  expect(outcome).toEqual({
    kind: 'unanswered',
    reason: 'tls_self_signed',
    message:
      `Cannot trust "localhost:${server.port}": self-signed certificates are refused by the service; ` +
      `"npx hookbench cert localhost --data mine" issues one from the local CA`,
  })
})

test('post() judges each new connection by the CAs of that moment', async () => {
  let cas: readonly string[] = []
  const server = await tlsServer(good, answer)
  const transport = openTransport('', { trustedCas: () => cas })
  const before = await transport.post(message(server.url), 5_000)

  cas = [root.pem]

  expect([summary(before), summary(await transport.post(message(server.url), 5_000))]).toEqual([
    'tls_incomplete_or_untrusted_chain',
    '200',
  ])
})

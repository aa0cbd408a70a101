import { createSecureContext, type TlsOptions } from 'node:tls'
import { expect, test } from 'vitest'
import { hoursFromNow, selfSigned, testAuthority, type CertificateWishes } from '../support/certificates.ts'
import { onRequest, tcpServer, tlsServer } from '../support/tls-server.ts'
import { message, openTransport, summary } from '../support/transport.ts'

const root = await testAuthority()
const stranger = await testAuthority('Unknown root')
const intermediate = await root.intermediate()
const good = await root.issue()
const own = await selfSigned()

const answer = onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))

async function outcomeFor(options: TlsOptions, ca = root.pem, hostname = 'localhost'): Promise<string> {
  const server = await tlsServer(options, answer)
  const url = server.url.replace('localhost', hostname)
  return summary(await openTransport(ca).post(message(url), 5_000))
}

test.each<[string, CertificateWishes, string]>([
  ['is good', {}, '200'],
  ['has expired', { notBefore: hoursFromNow(-9), notAfter: hoursFromNow(-1) }, 'tls_expired'],
  ['is not valid yet', { notBefore: hoursFromNow(1), notAfter: hoursFromNow(9) }, 'tls_not_yet_valid'],
  ['is for another host', { hosts: ['other.localhost'] }, 'tls_hostname'],
  ['is for a subdomain', { hosts: ['*.localhost'] }, 'tls_hostname'],
  ['is for clients', { usage: 'clientAuth' }, 'tls_purpose'],
  ['has a common name only', { hosts: [] }, 'tls_no_san'],
  ['has an RSA key of 2048 bits', { rsaBits: 2_048 }, '200'],
  ['has an RSA key of 1024 bits', { rsaBits: 1_024 }, 'tls_weak_key'],
])('post() judges a certificate that %s', async (_, wishes, expected) => {
  const certificate = await root.issue(wishes)

  expect(await outcomeFor({ ...certificate, ciphers: 'DEFAULT@SECLEVEL=0' })).toBe(expected)
})

const fromStranger = await stranger.issue()
const withStranger = await stranger.issue({ chain: [stranger.pem] })
const fromIntermediate = await intermediate.issue()
const withIntermediate = await intermediate.issue({ chain: [intermediate.pem] })

test.each([
  ['a self-signed certificate', own, 'tls_self_signed'],
  ['an unknown CA that is sent along', withStranger, 'tls_untrusted_ca'],
  ['an unknown CA', fromStranger, 'tls_incomplete_or_untrusted_chain'],
  ['a missing intermediate', fromIntermediate, 'tls_incomplete_or_untrusted_chain'],
  ['an intermediate that is sent', withIntermediate, '200'],
])('post() judges %s', async (_, certificate, expected) => {
  expect(await outcomeFor(certificate)).toBe(expected)
})

test('post() refuses a self-signed certificate that is trusted', async () => {
  expect(await outcomeFor(own, own.cert)).toBe('tls_self_signed')
})

test.each<[string, TlsOptions, string]>([
  [
    'offers TLS 1.1 only',
    { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    'tls_version',
  ],
  ['shares no cipher', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }, 'tls_handshake'],
  ['knows no such name', { SNICallback: (_, done) => done(new Error('unknown name')) }, 'tls_handshake'],
  ['speaks TLS 1.2', { maxVersion: 'TLSv1.2' }, '200'],
  [
    'demands a client certificate',
    { requestCert: true, rejectUnauthorized: true },
    'tls_client_cert_required',
  ],
  ['asks for a client certificate', { requestCert: true, rejectUnauthorized: false }, '200'],
  ['offers HTTP/2, too', { ALPNProtocols: ['h2', 'http/1.1'] }, '200'],
])('post() judges a receiver that %s', async (_, options, expected) => {
  expect(await outcomeFor({ ...good, ...options })).toBe(expected)
})

test('post() refuses a receiver that answers a name with the certificate of another', async () => {
  const other = await root.issue({ hosts: ['other.localhost'] })

  expect(await outcomeFor(other, root.pem, 'items.localhost')).toBe('tls_hostname')
})

test.each([
  ['127.0.0.1', ['127.0.0.1'], '200'],
  ['127.0.0.1', ['localhost'], 'tls_hostname'],
  ['127.0.0.1', [], 'tls_no_san'],
  ['items.localhost', ['*.localhost', 'items.localhost'], '200'],
  ['localhost.', ['localhost'], '200'],
])('post() calls %s with a certificate for %j', async (hostname, hosts, expected) => {
  expect(await outcomeFor(await root.issue({ hosts }), root.pem, hostname)).toBe(expected)
})

test.each([
  ['speaks plain HTTP', 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n', 'tls_not_tls'],
  ['speaks another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'tls_not_tls'],
  ['hangs up', '', 'tls_handshake'],
])('post() judges a port that %s', async (_, greeting, expected) => {
  const server = await tcpServer((socket) => socket.once('data', () => socket.end(greeting)))

  expect(summary(await openTransport(root.pem).post(message(server.url), 5_000))).toBe(expected)
})

test('post() reports a reset during the handshake', async () => {
  const server = await tcpServer((socket) => socket.once('data', () => socket.resetAndDestroy()))

  expect(summary(await openTransport(root.pem).post(message(server.url), 5_000))).toBe('reset')
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

test('post() refuses a receiver whose certificate has become bad since', async () => {
  let current = good
  const server = await tlsServer(
    { ...good, SNICallback: (_, done) => done(null, createSecureContext(current)) },
    onRequest((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')),
  )
  const transport = openTransport(root.pem)
  const before = await transport.post(message(server.url), 5_000)

  current = await root.issue({ notBefore: hoursFromNow(-9), notAfter: hoursFromNow(-1) })

  expect([summary(before), summary(await transport.post(message(server.url), 5_000))]).toEqual([
    '200',
    'tls_expired',
  ])
})

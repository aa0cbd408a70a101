import { createSecureContext, type TlsOptions } from 'node:tls'
import {
  type CertificateWishes,
  hoursFromNow,
  selfSigned,
  testAuthority,
  type TestCertificate,
} from '../../support/certificates.ts'
import { onRequest } from '../../support/scripted-server.ts'
import { EMPTY, OK, servingTcp, type Stage } from './stage.ts'
import { AFTER_SUCCESS, AT_DEADLINE, SINCE_NODE_24, fault, type FaultRow } from './row.ts'

const answer = onRequest((socket) => socket.write(OK))

const LAX = { ciphers: 'DEFAULT@SECLEVEL=0' }

const past = { notBefore: hoursFromNow(-9), notAfter: hoursFromNow(-1) }

const presenting =
  (wishes: CertificateWishes): FaultRow['open'] =>
  async (stage) =>
    stage.serve(answer, { ...(await stage.authority.issue(wishes)), ...LAX })

const serving =
  (options: TlsOptions): FaultRow['open'] =>
  (stage) =>
    stage.serve(answer, { ...stage.certificate, ...options })

const CERTIFICATES: readonly (readonly [FaultRow['id'], string, CertificateWishes, string])[] = [
  ['T01', 'expired', past, 'tls_expired'],
  [
    'T02',
    'that is not valid yet',
    { notBefore: hoursFromNow(1), notAfter: hoursFromNow(9) },
    'tls_not_yet_valid',
  ],
  ['T04', 'for another host', { hosts: ['other.localhost'] }, 'tls_hostname'],
  ['T04', 'for subdomains', { hosts: ['*.localhost'] }, 'tls_hostname'],
  ['T04', 'for an address, with the host as its common name', { hosts: ['127.0.0.1'] }, 'tls_hostname'],
  [
    'T04',
    'for an e-mail address, with the host as its common name',
    { hosts: ['me@localhost'] },
    'tls_hostname',
  ],
  ['T04', 'for a URI, with the host as its common name', { hosts: ['https://localhost/'] }, 'tls_hostname'],
  ['T12', 'for clients only', { usage: 'clientAuth' }, 'tls_purpose'],
  ['T13', 'without subject alternative names', { hosts: [] }, 'tls_no_san'],
  ['T14', 'with an RSA key of 1024 bits', { rsaBits: 1_024 }, 'tls_weak_key'],
  ['T14', 'with an RSA key of 2048 bits', { rsaBits: 2_048 }, '200'],
]

const GREETINGS: readonly (readonly [string, string, string])[] = [
  ['speaks plain HTTP', 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n', 'tls_not_tls'],
  ['speaks another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'tls_not_tls'],
  ['closes the connection in the TLS handshake', '', 'tls_handshake'],
]

export const TLS_ROWS: readonly FaultRow[] = [
  ...CERTIFICATES.map(([id, what, wishes, outcome]) =>
    fault(id, `has a certificate ${what}`, outcome, presenting(wishes)),
  ),
  fault('T03', 'has a self-signed certificate', 'tls_self_signed', async (stage) =>
    stage.serve(answer, await selfSigned()),
  ),
  fault('T03', 'has a trusted self-signed certificate', 'tls_self_signed', async (stage) => {
    const own = await selfSigned()
    return { ...(await stage.serve(answer, own)), ca: own.cert }
  }),
  fault('T05', 'also sends the certificate of its unknown CA', 'tls_untrusted_ca', async (stage) => {
    const stranger = await testAuthority('Unknown root')
    return stage.serve(answer, await stranger.issue({ chain: [stranger.pem] }))
  }),
  fault('T06', 'has a certificate from an unknown CA', 'tls_incomplete_or_untrusted_chain', async (stage) =>
    stage.serve(answer, await (await testAuthority('Unknown root')).issue()),
  ),
  fault(
    'T07',
    'does not send the intermediate certificate',
    'tls_incomplete_or_untrusted_chain',
    async (stage) => stage.serve(answer, await (await stage.authority.intermediate()).issue()),
  ),
  fault('T07', 'sends the intermediate certificate', '200', async (stage) => {
    const intermediate = await stage.authority.intermediate()
    return stage.serve(answer, await intermediate.issue({ chain: [intermediate.pem] }))
  }),
  ...(['TLSv1', 'TLSv1.1'] as const).map((version) =>
    fault(
      'T08',
      `offers only ${version}`,
      'tls_version',
      serving({ minVersion: 'TLSv1', maxVersion: version, ...LAX }),
    ),
  ),
  fault(
    'T08',
    'offers only TLS 1.2, and prefers HTTP/2 to HTTP/1.1',
    '200',
    serving({ maxVersion: 'TLSv1.2', ALPNProtocols: ['h2', 'http/1.1'] }),
  ),
  fault(
    'T09',
    'supports no common cipher',
    'tls_handshake',
    serving({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }),
  ),
  fault('T10', 'presents the certificate of another host name', 'tls_hostname', async (stage) => {
    const other = createSecureContext(await stage.authority.issue({ hosts: ['other.localhost'] }))
    const options = { ...stage.certificate, SNICallback: answerWith(() => other) }
    return stage.serve(answer, options)
  }),
  fault(
    'T10',
    'rejects the host name',
    'tls_handshake',
    serving({ SNICallback: (_, done) => done(new Error('unknown name')) }),
  ),
  fault('T11', 'has a revoked certificate', '200', openRevoked),
  ...GREETINGS.map(([what, greeting, outcome]) =>
    fault(
      'T15',
      what,
      outcome,
      servingTcp((socket) => socket.once('data', () => socket.end(greeting))),
    ),
  ),
  fault(
    'T15',
    'demands a client certificate',
    'tls_client_cert_required',
    serving({ requestCert: true, rejectUnauthorized: true }),
  ),
  fault(
    'T15',
    'requires a client certificate over TLS 1.2',
    'tls_client_cert_required',
    serving({ requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
  ),
  fault(
    'T15',
    'requests a client certificate but does not require the certificate',
    '200',
    serving({ requestCert: true, rejectUnauthorized: false }),
  ),
  fault(
    'T15',
    'does not respond to the TLS handshake',
    'tls_timeout',
    servingTcp(() => undefined),
    AT_DEADLINE,
  ),
  fault(
    'T15',
    'resets the connection at the first TLS message',
    'reset',
    servingTcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
  ),
  fault(
    'T15',
    'resets the connection immediately',
    'reset',
    servingTcp((socket) => socket.resetAndDestroy()),
  ),
  fault(
    'T15',
    'resets the connection within its first TLS message',
    'reset',
    servingTcp((socket) =>
      socket.once('data', () =>
        socket.write(HALF_RECORD, () => setImmediate(() => socket.resetAndDestroy())),
      ),
    ),
    SINCE_NODE_24,
  ),
  fault(
    'T16',
    'has replaced a valid certificate with an expired certificate',
    'tls_expired',
    async (stage) => {
      const contexts = [stage.certificate, await stage.authority.issue(past)].map((each) =>
        createSecureContext(each),
      )
      const SNICallback = answerWith(() => contexts[Math.min(stage.connections(), contexts.length) - 1])
      const closing = onRequest((socket) => socket.end(`HTTP/1.1 200 OK\r\nConnection: close${EMPTY}`))
      return stage.serve(closing, { ...stage.certificate, SNICallback })
    },
    AFTER_SUCCESS,
  ),
]

/** The start of a TLS handshake record: two of its 122 bytes. */
const HALF_RECORD = Buffer.from('160303007a0200', 'hex')

function answerWith(
  context: () => ReturnType<typeof createSecureContext> | undefined,
): NonNullable<TlsOptions['SNICallback']> {
  return (_, done) => done(null, context())
}

async function openRevoked(stage: Stage) {
  const { port } = await stage.forbid()
  const certificate: TestCertificate = await stage.authority.issue({
    revocationUrl: `http://127.0.0.1:${port}/`,
  })
  return stage.serve(answer, certificate)
}

import { createSecureContext, type TlsOptions } from 'node:tls'
import {
  type CertificateWishes,
  hoursFromNow,
  selfSigned,
  testAuthority,
  type TestCertificate,
} from '../../support/certificates.ts'
import { onRequest } from '../../support/scripted-server.ts'
import { EMPTY, OK, type Stage } from './stage.ts'
import type { FaultRow } from './row.ts'

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
    'valid from later on',
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
  ['T12', 'meant for clients', { usage: 'clientAuth' }, 'tls_purpose'],
  ['T13', 'without subject alternative names', { hosts: [] }, 'tls_no_san'],
  ['T14', 'with an RSA key of 1024 bits', { rsaBits: 1_024 }, 'tls_weak_key'],
  ['T14', 'with an RSA key of 2048 bits', { rsaBits: 2_048 }, '200'],
]

const GREETINGS: readonly (readonly [string, string, string])[] = [
  ['speaks plain HTTP', 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n', 'tls_not_tls'],
  ['speaks another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'tls_not_tls'],
  ['hangs up in the handshake', '', 'tls_handshake'],
]

export const TLS_ROWS: readonly FaultRow[] = [
  ...CERTIFICATES.map(([id, what, wishes, outcome]) => ({
    id,
    what: `has a certificate ${what}`,
    outcome,
    open: presenting(wishes),
  })),
  {
    id: 'T03',
    what: 'has a self-signed certificate',
    outcome: 'tls_self_signed',
    open: async (stage) => stage.serve(answer, await selfSigned()),
  },
  {
    id: 'T03',
    what: 'has a self-signed certificate that is trusted',
    outcome: 'tls_self_signed',
    async open(stage) {
      const own = await selfSigned()
      return { ...(await stage.serve(answer, own)), ca: own.cert }
    },
  },
  {
    id: 'T05',
    what: 'sends the unknown CA along',
    outcome: 'tls_untrusted_ca',
    async open(stage) {
      const stranger = await testAuthority('Unknown root')
      return stage.serve(answer, await stranger.issue({ chain: [stranger.pem] }))
    },
  },
  {
    id: 'T06',
    what: 'has a certificate of an unknown CA',
    outcome: 'tls_incomplete_or_untrusted_chain',
    open: async (stage) => stage.serve(answer, await (await testAuthority('Unknown root')).issue()),
  },
  {
    id: 'T07',
    what: 'does not send the intermediate certificate',
    outcome: 'tls_incomplete_or_untrusted_chain',
    open: async (stage) => stage.serve(answer, await (await stage.authority.intermediate()).issue()),
  },
  {
    id: 'T07',
    what: 'sends the intermediate certificate',
    outcome: '200',
    async open(stage) {
      const intermediate = await stage.authority.intermediate()
      return stage.serve(answer, await intermediate.issue({ chain: [intermediate.pem] }))
    },
  },
  ...(['TLSv1', 'TLSv1.1'] as const).map((version) => ({
    id: 'T08' as const,
    what: `offers ${version} only`,
    outcome: 'tls_version',
    open: serving({ minVersion: 'TLSv1', maxVersion: version, ...LAX }),
  })),
  {
    id: 'T08',
    what: 'offers TLS 1.2 only, and HTTP/2 before HTTP/1.1',
    outcome: '200',
    open: serving({ maxVersion: 'TLSv1.2', ALPNProtocols: ['h2', 'http/1.1'] }),
  },
  {
    id: 'T09',
    what: 'shares no cipher',
    outcome: 'tls_handshake',
    open: serving({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' }),
  },
  {
    id: 'T10',
    what: 'answers a name with the certificate of another',
    outcome: 'tls_hostname',
    async open(stage) {
      const other = createSecureContext(await stage.authority.issue({ hosts: ['other.localhost'] }))
      const options = { ...stage.certificate, SNICallback: answerWith(() => other) }
      return stage.serve(answer, options)
    },
  },
  {
    id: 'T10',
    what: 'knows no such name',
    outcome: 'tls_handshake',
    open: serving({ SNICallback: (_, done) => done(new Error('unknown name')) }),
  },
  { id: 'T11', what: 'has a certificate that was revoked', outcome: '200', open: openRevoked },
  ...GREETINGS.map(([what, greeting, outcome]) => ({
    id: 'T15' as const,
    what,
    outcome,
    open: (stage: Stage) => stage.serveTcp((socket) => socket.once('data', () => socket.end(greeting))),
  })),
  {
    id: 'T15',
    what: 'demands a client certificate',
    outcome: 'tls_client_cert_required',
    open: serving({ requestCert: true, rejectUnauthorized: true }),
  },
  {
    id: 'T15',
    what: 'demands a client certificate by TLS 1.2',
    outcome: 'tls_client_cert_required',
    open: serving({ requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' }),
  },
  {
    id: 'T15',
    what: 'asks for a client certificate, and does without',
    outcome: '200',
    open: serving({ requestCert: true, rejectUnauthorized: false }),
  },
  {
    id: 'T15',
    what: 'does not answer the handshake',
    outcome: 'tls_timeout',
    atDeadline: true,
    open: (stage) => stage.serveTcp(() => undefined),
  },
  {
    id: 'T15',
    what: 'resets at the greeting',
    outcome: 'reset',
    open: (stage) => stage.serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
  },
  {
    id: 'T15',
    what: 'resets at once',
    outcome: 'reset',
    open: (stage) => stage.serveTcp((socket) => socket.resetAndDestroy()),
  },
  {
    id: 'T15',
    what: 'resets within its own greeting',
    outcome: 'reset',
    sinceNode24: true,
    open: (stage) =>
      stage.serveTcp((socket) =>
        socket.once('data', () =>
          socket.write(HALF_RECORD, () => setImmediate(() => socket.resetAndDestroy())),
        ),
      ),
  },
  {
    id: 'T16',
    what: 'has had a good certificate, and now an expired one',
    outcome: 'tls_expired',
    afterSuccess: true,
    async open(stage) {
      const contexts = [stage.certificate, await stage.authority.issue(past)].map((each) =>
        createSecureContext(each),
      )
      const SNICallback = answerWith(() => contexts[Math.min(stage.connections(), contexts.length) - 1])
      const closing = onRequest((socket) => socket.end(`HTTP/1.1 200 OK\r\nConnection: close${EMPTY}`))
      return stage.serve(closing, { ...stage.certificate, SNICallback })
    },
  },
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

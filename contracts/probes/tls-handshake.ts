import { connect, type PeerCertificate } from 'node:tls'
import type { SeenCertificate, TlsProbe } from '../toolkit/ports.ts'

const TIMEOUT_MS = 5_000

/** Returns the certificates of a TLS handshake, even if untrusted. The caller must check `distrust`. */
export function handshake(url: string, from?: string): Promise<TlsProbe> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const servername = /^[\d.]+$|:/.test(host) ? '' : host
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      servername,
      rejectUnauthorized: false,
      ...(from !== undefined && { localAddress: from, family: 4 }),
    })
    const give = (probe: TlsProbe) => {
      socket.destroy()
      resolve(probe)
    }
    socket.setTimeout(TIMEOUT_MS, () =>
      give({ kind: 'failed', reason: 'tls_timeout', message: `No handshake within ${TIMEOUT_MS} ms` }),
    )
    socket.once('error', (error: NodeJS.ErrnoException) =>
      give({ kind: 'failed', reason: error.code ?? 'failed', message: error.message }),
    )
    socket.once('secureConnect', () => {
      const chain = chainOf(socket.getPeerCertificate(true))
      const message = `The receiver sent ${chain.length} ${chain.length === 1 ? 'certificate' : 'certificates'}`
      give({ kind: 'seen', seenAt: new Date().toISOString(), chain, distrust: null, message })
    })
  })
}

type Detailed = PeerCertificate & { readonly issuerCertificate?: Detailed }

/** Returns the certificate chain, starting with the leaf. Node links a self-signed certificate to itself, which ends the chain. */
function chainOf(leaf: Detailed): SeenCertificate[] {
  const chain: SeenCertificate[] = []
  const known = new Set<string>()
  for (
    let next: Detailed | undefined = leaf;
    next?.fingerprint256 && !known.has(next.fingerprint256);
    next = next.issuerCertificate
  ) {
    known.add(next.fingerprint256)
    chain.push({
      subject: nameOf(next.subject),
      issuer: nameOf(next.issuer),
      notBefore: new Date(next.valid_from).toISOString(),
      notAfter: new Date(next.valid_to).toISOString(),
      names: (next.subjectaltname ?? '').split(', ').filter((name) => name !== ''),
    })
  }
  return chain
}

function nameOf(name: object): string {
  return Object.entries(name)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(', ')
}

import type { CertificateAuthority } from '../adapters/certificate-authority.ts'
import { certificateHosts } from '../adapters/listen-place.ts'
import { createLazyTransport } from '../adapters/transport/lazy-transport.ts'
import type { UndiciTransport } from '../adapters/transport/undici-transport.ts'
import type { Egress } from '../engine/delivery/egress.ts'
import type { ServeOptions } from './serve-options.ts'

const MOST_CONNECTIONS = 1_000

/** How each listener is opened. */
export async function toListenOptions(
  { port, benchPort, https = false, listenAt: place }: ServeOptions,
  ca: CertificateAuthority,
) {
  const tls = https || place ? await ca.issue(certificateHosts(place)) : undefined
  return {
    service: { port, flag: '--port', tls, place },
    bench: { port: benchPort, flag: '--bench-port', exactPaths: true, ...(place && { tls, place }) },
  }
}

/** Returns the transport, which is loaded at the first delivery. It trusts the CAs of the sandbox and of the receiver, too. */
export function createTransport(
  { dataFolder, receiverCa }: Pick<ServeOptions, 'dataFolder' | 'receiverCa'>,
  ca: Pick<CertificateAuthority, 'certificatePem'>,
  egress: Egress,
): UndiciTransport {
  const cas = [ca.certificatePem, receiverCa].filter((pem) => pem !== undefined)
  return createLazyTransport(async () => {
    const { createUndiciTransport } = await import('../adapters/transport/undici-transport.ts')
    return createUndiciTransport({
      trustedCas: () => cas,
      egress,
      // The queue of each registration bounds what is under way; one receiver may have all of them.
      connectionsPerOrigin: MOST_CONNECTIONS,
      dataFolder,
    })
  })
}

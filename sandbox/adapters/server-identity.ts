import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { checkServerIdentity as checkByNode, type PeerCertificate } from 'node:tls'

/** As Node does it, but on Node 22, too: that one finds no IPv6 address among the names of a certificate. */
export function checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  if (isIP(host) === 0) return checkByNode(host, certificate)
  if (new X509Certificate(certificate.raw).checkIP(host) !== undefined) return undefined
  const error = new Error(
    `The certificate is not for ${host}: ${certificate.subjectaltname ?? 'it names nobody'}`,
  )
  return Object.assign(error, { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
}

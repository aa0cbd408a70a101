import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { checkServerIdentity as checkByNode, type PeerCertificate } from 'node:tls'

/** Uses only the SANs: Node's check accepts the common name and fails for IPv6 on Node 22. Source: RFC 9525 §2 and §6.3 */
export function checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  if (isIP(host) === 0) return checkByNode(host, { ...certificate, subject: NO_SUBJECT })
  if (new X509Certificate(certificate.raw).checkIP(host) !== undefined) return undefined
  const error = new Error(
    `The certificate is not for ${host}: ${certificate.subjectaltname ?? 'it names no host'}`,
  )
  return Object.assign(error, { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
}

const NO_SUBJECT = { C: '', ST: '', L: '', O: '', OU: '', CN: '' }

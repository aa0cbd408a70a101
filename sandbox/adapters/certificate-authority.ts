import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { openAuthorityFiles } from './certificate-authority-files.ts'

export interface CertificateAuthority {
  readonly certificatePem: string
  readonly certificatePath: string
  /** Issues a certificate for host names and IP addresses. `localhost` also covers the loopback addresses. */
  issue(hosts: readonly string[]): Promise<IssuedCertificate>
}

export interface IssuedCertificate {
  /** The server's certificate, followed by the CA's certificate. A server must send both certificates. */
  readonly certificatePem: string
  readonly privateKeyPem: string
}

const DAY_MS = 86_400_000
const CA_DAYS = 3_650
/** The longest validity period that browsers accept, in days. */
const LEAF_DAYS = 397
/** Certificates become valid a day early, because the clock of a container or a virtual machine may be slow. */
const BACKDATED_DAYS = 1

const CA_NAME = 'Hookbench local CA'
const LEAF_NAME = 'Hookbench receiver'

/** Opens the CA in `folder`. Creates the CA if there is none. Processes that open the CA at the same time get the same CA. */
export async function openCertificateAuthority(folder: string): Promise<CertificateAuthority> {
  const opened = await openAuthorityFiles(folder, async () =>
    (await loadCertificates()).makeCa(CA_NAME, validity(CA_DAYS)),
  )
  const { certificatePem, certificatePath } = opened
  return {
    certificatePem,
    certificatePath,
    async issue(hosts) {
      const leaf = { commonName: LEAF_NAME, hosts: alternativeNames(hosts) }
      const { makeServerCertificate } = await loadCertificates()
      const { privateKeyPem, certificatePem: own } = await makeServerCertificate(
        leaf,
        validity(LEAF_DAYS),
        opened,
      )
      return { certificatePem: `${own.trim()}\n${certificatePem.trim()}\n`, privateKeyPem }
    },
  }
}

const loadCertificates = () => import('./certificates.ts')

function alternativeNames(hosts: readonly string[]): string[] {
  if (hosts.length === 0) throw new Error('Cannot issue a certificate: no host is given')
  const names = hosts.map(canonicalHost)
  if (names.includes('localhost')) names.push('127.0.0.1', '::1')
  return [...new Set(names)]
}

function canonicalHost(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (isIP(bare) === 4) return bare
  if (isIP(bare) === 6) {
    const address = URL.parse(`http://[${bare}]`)?.hostname.slice(1, -1)
    if (address !== undefined) return address
    throw new RangeError(`Cannot issue a certificate for "${host}": the address has a zone. Remove the zone`)
  }

  const name = domainToASCII(bare)
  if (/^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(name) && !name.includes('..')) return name
  throw new RangeError(`Cannot issue a certificate for "${host}": the name must be a host name or an address`)
}

function validity(days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const start = Date.now() - BACKDATED_DAYS * DAY_MS
  return { notBefore: new Date(start), notAfter: new Date(start + days * DAY_MS) }
}

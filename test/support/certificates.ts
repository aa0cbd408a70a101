import type { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import { join } from 'node:path'
// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 needs the side effect of this import
import 'reflect-metadata'
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { openCertificateAuthority } from '../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder } from '../../sandbox/adapters/data-folder.ts'

export interface TestCertificate {
  readonly cert: string
  readonly key: string
}

export interface TestAuthority {
  readonly pem: string
  issue(wishes?: CertificateWishes): Promise<TestCertificate>
  intermediate(): Promise<TestAuthority>
}

export interface CertificateWishes {
  /** Host names. Defaults to none. */
  readonly hosts?: readonly string[]
  readonly notBefore?: Date
  readonly notAfter?: Date
  readonly usage?: 'serverAuth' | 'clientAuth'
  /** True if the certificate may issue other certificates. */
  readonly isAuthority?: boolean
  readonly rsaBits?: number
  /** The URL of both the revocation list and the OCSP server. */
  readonly revocationUrl?: string
  /** Certificates that the server sends after its own certificate. */
  readonly chain?: readonly string[]
}

interface Issuer {
  readonly name: string
  readonly keys: webcrypto.CryptoKeyPair
}

const HOUR_MS = 3_600_000

const SIGNING = { name: 'ECDSA', hash: 'SHA-256' }

export const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS)

export async function testAuthority(name = 'Test root'): Promise<TestAuthority> {
  const keys = await ecKeys()
  return authority({ name, keys }, await certify({ name, keys, extensions: AUTHORITY }, { name, keys }))
}

export async function selfSigned(wishes: CertificateWishes = {}): Promise<TestCertificate> {
  const name = 'localhost'
  const keys = await ecKeys()
  const extensions = wishes.isAuthority === true ? AUTHORITY : leafExtensions(wishes)
  const cert = await certify({ ...wishes, name, keys, extensions }, { name, keys })
  return { cert, key: await exportKey(keys) }
}

function authority(issuer: Issuer, pem: string): TestAuthority {
  return {
    pem,
    async issue(wishes = {}) {
      const keys = await (wishes.rsaBits === undefined ? ecKeys() : rsaKeys(wishes.rsaBits))
      const subject = { ...wishes, name: 'localhost', keys, extensions: leafExtensions(wishes) }
      const leaf = await certify(subject, issuer)
      return { cert: [leaf, ...(wishes.chain ?? [])].join('\n'), key: await exportKey(keys) }
    },
    async intermediate() {
      const name = 'Test intermediate'
      const keys = await ecKeys()
      return authority({ name, keys }, await certify({ name, keys, extensions: AUTHORITY }, issuer))
    },
  }
}

const AUTHORITY: readonly Extension[] = [
  new BasicConstraintsExtension(true, undefined, true),
  new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
]

function leafExtensions({ hosts = ['localhost'], usage = 'serverAuth', revocationUrl }: CertificateWishes) {
  const names = hosts.map((value) => ({ type: nameType(value), value }))
  const extensions: Extension[] = [new ExtendedKeyUsageExtension([ExtendedKeyUsage[usage]])]
  if (names.length > 0) extensions.push(new SubjectAlternativeNameExtension(names))
  if (revocationUrl !== undefined) {
    extensions.push(new CRLDistributionPointsExtension([revocationUrl]))
    extensions.push(new AuthorityInfoAccessExtension({ ocsp: revocationUrl }))
  }
  return extensions
}

function nameType(value: string): 'dns' | 'ip' | 'email' | 'url' {
  if (isIP(value) !== 0) return 'ip'
  return value.includes('@') ? 'email' : value.includes('://') ? 'url' : 'dns'
}

interface Subject extends Issuer {
  readonly extensions: readonly Extension[]
  readonly notBefore?: Date
  readonly notAfter?: Date
}

async function certify(subject: Subject, issuer: Issuer): Promise<string> {
  const certificate = await X509CertificateGenerator.create({
    subject: [{ CN: [subject.name] }],
    issuer: [{ CN: [issuer.name] }],
    notBefore: subject.notBefore ?? hoursFromNow(-1),
    notAfter: subject.notAfter ?? hoursFromNow(24),
    publicKey: subject.keys.publicKey,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: SIGNING,
    extensions: [...subject.extensions],
  })
  return certificate.toString('pem')
}

function ecKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
}

function rsaKeys(modulusLength: number): Promise<webcrypto.CryptoKeyPair> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
  }
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

async function exportKey({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')
}

/** Issues a certificate for localhost with the local CA of the data folder. */
export async function issueForLocalhost(folder: string): Promise<TestCertificate> {
  const { issue } = await openCertificateAuthority(openDataFolder(join(folder, '.hookbench')).caFolder)
  const { certificatePem: cert, privateKeyPem: key } = await issue(['localhost'])
  return { cert, key }
}

// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 asks for its effect
import 'reflect-metadata'
import { webcrypto, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { openAuthorityFiles, type AuthorityPems } from './certificate-authority-files.ts'

export interface CertificateAuthority {
  readonly certificatePem: string
  readonly certificatePath: string
  /** Host names and IP addresses; `localhost` is made good for the loopback addresses, too. */
  issue(hosts: readonly string[]): Promise<IssuedCertificate>
}

export interface IssuedCertificate {
  /** The leaf and then the CA: a server sends both. */
  readonly certificatePem: string
  readonly privateKeyPem: string
}

const DAY_MS = 86_400_000
const CA_DAYS = 3_650
/** The longest life that browsers accept. */
const LEAF_DAYS = 397
/** Clocks of containers and virtual machines may be behind. */
const BACKDATED_DAYS = 1

const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNING_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' }
const CA_NAME = [{ CN: ['Hookbench local CA'] }]
const LEAF_NAME = [{ CN: ['Hookbench receiver'] }]

/** Opens the CA that is kept in `folder`, making it on first use; all who do so at once get the same one. */
export async function openCertificateAuthority(folder: string): Promise<CertificateAuthority> {
  const { certificatePem, key, certificatePath } = await openAuthorityFiles(folder, makeAuthority)
  return {
    certificatePem,
    certificatePath,
    async issue(hosts) {
      const keys = await generateKeys()
      const leaf = await certifyLeaf(hosts, keys, { certificatePem, key })
      return {
        certificatePem: `${leaf}\n${certificatePem.trim()}\n`,
        privateKeyPem: await exportKey(keys.privateKey),
      }
    },
  }
}

async function makeAuthority(): Promise<AuthorityPems> {
  const keys = await generateKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: CA_NAME,
    keys,
    ...validity(CA_DAYS),
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    privateKeyPem: await exportKey(keys.privateKey),
  }
}

interface Issuer {
  readonly certificatePem: string
  readonly key: KeyObject
}

async function certifyLeaf(
  hosts: readonly string[],
  { publicKey }: webcrypto.CryptoKeyPair,
  issuer: Issuer,
): Promise<string> {
  const authority = new X509Certificate(issuer.certificatePem)
  const { notBefore, notAfter } = validity(LEAF_DAYS)
  const leaf = await X509CertificateGenerator.create({
    subject: LEAF_NAME,
    issuer: authority.subjectName,
    notBefore,
    notAfter: notAfter < authority.notAfter ? notAfter : authority.notAfter,
    publicKey,
    signingKey: await importKey(issuer.key),
    signingAlgorithm: SIGNING_ALGORITHM,
    extensions: [
      new SubjectAlternativeNameExtension(alternativeNames(hosts)),
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  })
  return leaf.toString('pem')
}

function alternativeNames(hosts: readonly string[]) {
  if (hosts.length === 0) throw new Error('Cannot issue a certificate: no host is given')
  const names = hosts.map(canonicalHost)
  if (names.includes('localhost')) names.push('127.0.0.1', '::1')
  return [...new Set(names)].map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value }) as const)
}

function canonicalHost(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (isIP(bare) !== 0) return bare

  const name = domainToASCII(bare)
  if (/^(\*\.)?[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(name) && !name.includes('..')) return name
  throw new RangeError(`Cannot issue a certificate for "${host}": it is neither a host name nor an address`)
}

function validity(days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const start = Date.now() - BACKDATED_DAYS * DAY_MS
  return { notBefore: new Date(start), notAfter: new Date(start + days * DAY_MS) }
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key)
  return `${PemConverter.encode(der, 'PRIVATE KEY')}\n`
}

function importKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const der = key.export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', der, KEY_ALGORITHM, false, ['sign'])
}

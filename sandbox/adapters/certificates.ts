// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 needs the side effect of this import
import 'reflect-metadata'
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
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

export interface CertifiedKey {
  readonly certificatePem: string
  readonly privateKeyPem: string
}

interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
}

export interface Issuer {
  readonly certificatePem: string
  readonly key: KeyObject
}

const EC_KEY = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNING = { name: 'ECDSA', hash: 'SHA-256' }

export async function makeCa(commonName: string, validity: Validity): Promise<CertifiedKey> {
  const keys = await crypto.subtle.generateKey(EC_KEY, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: [{ CN: [commonName] }],
    keys,
    signingAlgorithm: SIGNING,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return toPems(certificate, keys.privateKey)
}

export async function makeServerCertificate(
  { commonName, hosts }: { readonly commonName: string; readonly hosts: readonly string[] },
  { notBefore, notAfter }: Validity,
  { certificatePem, key }: Issuer,
): Promise<CertifiedKey> {
  const keys = await crypto.subtle.generateKey(EC_KEY, true, ['sign', 'verify'])
  const ca = new X509Certificate(certificatePem)
  const der = key.export({ type: 'pkcs8', format: 'der' })
  const signingKey = await crypto.subtle.importKey('pkcs8', der, EC_KEY, false, ['sign'])
  const certificate = await X509CertificateGenerator.create({
    // Copies the subject name of the CA as the issuer, because clients compare these names byte by byte.
    issuer: ca.subjectName,
    subject: [{ CN: [commonName] }],
    notBefore,
    notAfter: notAfter < ca.notAfter ? notAfter : ca.notAfter,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: SIGNING,
    extensions: [
      new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: nameType(value), value }))),
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(ca),
    ],
  })
  return toPems(certificate, keys.privateKey)
}

function nameType(host: string): 'dns' | 'ip' {
  return isIP(host) === 0 ? 'dns' : 'ip'
}

async function toPems(certificate: X509Certificate, privateKey: CryptoKey): Promise<CertifiedKey> {
  const bytes = await crypto.subtle.exportKey('pkcs8', privateKey)
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    privateKeyPem: `${PemConverter.encode(bytes, 'PRIVATE KEY')}\n`,
  }
}

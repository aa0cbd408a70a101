import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto'
import { isIP } from 'node:net'
import { contentOf, elementsOf, encode, encodeIdentifier, encodeInteger, encodeTime } from './der.ts'

/** A certificate with the key that it is for. */
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

const TRUE = encode('boolean', Buffer.of(0xff))
const ECDSA_WITH_SHA256 = encode('sequence', encodeIdentifier('1.2.840.10045.4.3.2'))
const COMMON_NAME = '2.5.4.3'
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'

/** The bits of a key usage, and how many of their byte are not used. Source: RFC 5280, §4.2.1.3 */
const KEY_USAGES = { certificatesAndLists: [1, 0b0000_0110], signatures: [7, 0b1000_0000] } as const

/** A CA that certifies servers, and no other CA. */
export function makeCa(commonName: string, validity: Validity): CertifiedKey {
  const keys = newKeys()
  const name = encodeName(commonName)
  const extensions = [
    basicConstraints(encode('sequence', TRUE, encodeInteger(Buffer.of(0)))),
    keyUsage('certificatesAndLists'),
    subjectKeyIdentifier(keys.publicKey),
  ]
  return certify(keys, { issuer: name, subject: name, validity, extensions, signingKey: keys.privateKey })
}

/** A server's certificate for these host names and addresses, no longer valid than its issuer. */
export function makeServerCertificate(
  { commonName, hosts }: { readonly commonName: string; readonly hosts: readonly string[] },
  { notBefore, notAfter }: Validity,
  { certificatePem, key }: Issuer,
): CertifiedKey {
  const keys = newKeys()
  const ca = new X509Certificate(certificatePem)
  const end = new Date(Math.min(notAfter.getTime(), Date.parse(ca.validTo)))
  const extensions = [
    extension('2.5.29.17', encode('sequence', ...hosts.map(encodeHost))),
    basicConstraints(encode('sequence')),
    keyUsage('signatures'),
    extension('2.5.29.37', encode('sequence', encodeIdentifier(SERVER_AUTHENTICATION))),
    subjectKeyIdentifier(keys.publicKey),
    extension('2.5.29.35', encode('sequence', encode(0x80, keyIdentifier(ca.publicKey)))),
  ]
  return certify(keys, {
    issuer: subjectOf(ca),
    subject: encodeName(commonName),
    validity: { notBefore, notAfter: end },
    extensions,
    signingKey: key,
  })
}

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

function newKeys(): KeyPair {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

interface Content {
  readonly issuer: Uint8Array
  readonly subject: Uint8Array
  readonly validity: Validity
  readonly extensions: readonly Uint8Array[]
  readonly signingKey: KeyObject
}

/** Source: RFC 5280, §4.1 */
function certify({ publicKey, privateKey }: KeyPair, content: Content): CertifiedKey {
  const { issuer, subject, validity, extensions, signingKey } = content
  const version3 = encode(0xa0, encodeInteger(Buffer.of(2)))
  const toBeSigned = encode(
    'sequence',
    version3,
    encodeInteger(randomBytes(16)),
    ECDSA_WITH_SHA256,
    issuer,
    encode('sequence', encodeTime(validity.notBefore), encodeTime(validity.notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(0xa3, encode('sequence', ...extensions)),
  )
  const signature = encode('bitString', Buffer.of(0), sign('sha256', toBeSigned, signingKey))
  const certificate = new X509Certificate(encode('sequence', toBeSigned, ECDSA_WITH_SHA256, signature))
  return {
    certificatePem: certificate.toString(),
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
}

function encodeName(commonName: string): Buffer {
  const value = encode('utf8String', Buffer.from(commonName))
  return encode('sequence', encode('set', encode('sequence', encodeIdentifier(COMMON_NAME), value)))
}

function extension(id: string, value: Uint8Array, critical = false): Buffer {
  return encode('sequence', encodeIdentifier(id), ...(critical ? [TRUE] : []), encode('octetString', value))
}

function basicConstraints(value: Uint8Array): Buffer {
  return extension('2.5.29.19', value, true)
}

function keyUsage(usage: keyof typeof KEY_USAGES): Buffer {
  return extension('2.5.29.15', encode('bitString', Buffer.of(...KEY_USAGES[usage])), true)
}

function subjectKeyIdentifier(key: KeyObject): Buffer {
  return extension('2.5.29.14', encode('octetString', keyIdentifier(key)))
}

/** Source: RFC 5280, §4.2.1.2, method 1 */
function keyIdentifier(key: KeyObject): Buffer {
  const [, bits = Buffer.of()] = elementsOf(key.export({ type: 'spki', format: 'der' }))
  return createHash('sha1').update(contentOf(bits).subarray(1)).digest()
}

/** The name of a certificate exactly as it is written there: it is compared byte by byte. */
function subjectOf({ raw }: X509Certificate): Uint8Array {
  const [toBeSigned = Buffer.of()] = elementsOf(raw)
  // After the version, the serial number, the algorithm, the issuer and the validity.
  const subject = elementsOf(toBeSigned)[5]
  if (!subject) throw new RangeError('Cannot read the certificate of the CA: it has no subject')
  return subject
}

function encodeHost(host: string): Buffer {
  return isIP(host) === 0 ? encode(0x82, Buffer.from(host)) : encode(0x87, Buffer.from(addressBytes(host)))
}

/** The four or sixteen bytes of an address. Throws RangeError for one with a zone, which no certificate can name. */
function addressBytes(address: string): number[] {
  if (isIP(address) === 4) return address.split('.').map(Number)
  // Without an IPv4 address at its end, and all but "::" written out.
  const canonical = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1)
  if (canonical === undefined)
    throw new RangeError(`Cannot issue a certificate for "${address}": leave its zone out`)
  const [left = [], right = []] = canonical
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
}

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openCertificateAuthority } from '../../sandbox/adapters/certificate-authority.ts'
import { hoursFromNow, selfSigned, testAuthority } from '../support/certificates.ts'
import { onRequest } from '../support/scripted-server.ts'
import { message, openTransport, summary, tlsServer } from '../support/transport.ts'

const DAY_MS = 86_400_000

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hookbench-ca-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'new')
}

const certificateIn = (folder: string) => join(folder, 'ca.crt.pem')
const keyIn = (folder: string) => join(folder, 'ca.key.pem')

/** The new content of each CA file. Null removes the file. */
type Files = Readonly<Partial<Record<'crt' | 'key', string | null>>>

/** Writes or removes CA files. Returns the paths of the changed files. */
function replaceFiles(folder: string, files: Files): Promise<readonly string[]> {
  const changes = Object.entries(files).map(async ([kind, text]) => {
    const path = join(folder, `ca.${kind}.pem`)
    await (text === null ? rm(path) : writeFile(path, text))
    return path
  })
  return Promise.all(changes)
}

const daysLeft = ({ validTo }: X509Certificate) => (Date.parse(validTo) - Date.now()) / DAY_MS

test('openCertificateAuthority() creates a CA for ten years with a private key file', async () => {
  const folder = await emptyFolder()

  const ca = await openCertificateAuthority(folder)

  const certificate = new X509Certificate(ca.certificatePem)
  const { mode } = await stat(keyIn(folder))
  expect([certificate.ca, certificate.subject, mode & 0o777, (await readdir(folder)).toSorted()]).toEqual([
    true,
    'CN=Hookbench local CA',
    0o600,
    ['ca.crt.pem', 'ca.key.pem'],
  ])
  expect(daysLeft(certificate)).toBeCloseTo(3_649, 0)
})

test('openCertificateAuthority() creates only one CA for concurrent callers', async () => {
  const folder = await emptyFolder()

  const cas = await Promise.all(Array.from({ length: 8 }, () => openCertificateAuthority(folder)))

  const pems = new Set([...cas.map((ca) => ca.certificatePem), await readFile(certificateIn(folder), 'utf8')])
  expect([pems.size, (await readdir(folder)).length]).toEqual([1, 2])
})

test('issue() creates a certificate that the transport accepts for every host in the certificate', async () => {
  const ca = await openCertificateAuthority(await emptyFolder())
  const issued = await ca.issue(['localhost', 'items.localhost'])
  const server = await tlsServer(
    { cert: issued.certificatePem, key: issued.privateKeyPem },
    onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')),
  )
  const transport = openTransport(ca.certificatePem)
  const urls = ['localhost', 'items.localhost', '127.0.0.1'].map((host) =>
    server.url.replace('localhost', host),
  )

  const exchanges = await Promise.all(urls.map((url) => transport.post(message(url), 5_000)))

  expect(exchanges.map(summary)).toEqual(['200', '200', '200'])
})

test('issue() includes the CA certificate and limits the leaf to servers and 397 days', async () => {
  const ca = await openCertificateAuthority(await emptyFolder())

  const { certificatePem } = await ca.issue(['Receiver.Example', '10.0.0.7', '[::1]', 'bücher.example'])

  const leaf = new X509Certificate(certificatePem)
  expect([
    leaf.subjectAltName,
    leaf.keyUsage,
    leaf.ca,
    certificatePem.includes(ca.certificatePem.trim()),
  ]).toEqual([
    'DNS:receiver.example, IP Address:10.0.0.7, IP Address:0:0:0:0:0:0:0:1, DNS:xn--bcher-kva.example',
    ['1.3.6.1.5.5.7.3.1'],
    false,
    true,
  ])
  expect(daysLeft(leaf)).toBeLessThanOrEqual(397)
})

test('issue() normalizes every IP address format and rejects an address with a zone', async () => {
  const ca = await openCertificateAuthority(await emptyFolder())

  const { certificatePem } = await ca.issue(['::ffff:1.2.3.4', '2001:db8::', 'fe80::1'])

  expect(new X509Certificate(certificatePem).subjectAltName).toBe(
    'IP Address:0:0:0:0:0:FFFF:102:304, IP Address:2001:DB8:0:0:0:0:0:0, IP Address:FE80:0:0:0:0:0:0:1',
  )
  await expect(ca.issue(['fe80::1%eth0'])).rejects.toThrow('Cannot issue a certificate')
})

test('a certificate that issue() signs with a foreign CA does not outlive the CA', async () => {
  const notAfter = hoursFromNow(24)
  const { cert, key } = await selfSigned({ isAuthority: true, notAfter })
  const folder = await emptyFolder()
  await openCertificateAuthority(folder)
  await replaceFiles(folder, { crt: cert, key })

  const issued = await (await openCertificateAuthority(folder)).issue(['localhost'])

  const [leafOf, authority] = [new X509Certificate(issued.certificatePem), new X509Certificate(cert)]
  expect([
    leafOf.checkIssued(authority),
    leafOf.verify(authority.publicKey),
    leafOf.validTo,
    leafOf.checkPrivateKey(createPrivateKey(issued.privateKeyPem)),
  ]).toEqual([true, true, authority.validTo, true])
})

test.each([[[]], [['']], [['a b']], [['https://localhost/']], [['a..b']]])(
  'issue() rejects the hosts %j',
  async (hosts) => {
    const ca = await openCertificateAuthority(await emptyFolder())

    await expect(ca.issue(hosts)).rejects.toThrow('Cannot issue a certificate')
  },
)

const foreign = await testAuthority()
const leaf = await selfSigned()
const expired = await selfSigned({
  isAuthority: true,
  notBefore: hoursFromNow(-9),
  notAfter: hoursFromNow(-1),
})
const expiry = new X509Certificate(expired.cert).validTo

test.each<readonly [string, Files, string]>([
  ['a damaged key', { key: 'garbage' }, 'the file has no readable private key'],
  ['the certificate of another CA', { crt: foreign.pem }, 'the certificate does not match the key in'],
  [
    'a certificate that is not a CA certificate',
    { crt: leaf.cert },
    'the certificate is not a CA certificate',
  ],
  ['an expired CA', { crt: expired.cert, key: expired.key }, `the certificate expired on ${expiry}`],
  ['no key', { key: null }, 'the key file is missing. Restore the file, or delete'],
])('openCertificateAuthority() rejects a CA folder with %s', async (_, files, state) => {
  const folder = await emptyFolder()
  await openCertificateAuthority(folder)
  const paths = await replaceFiles(folder, files)

  await expect(openCertificateAuthority(folder)).rejects.toThrow(
    `Cannot open the local CA in "${paths[0]}": ${state}`,
  )
})

test('openCertificateAuthority() rejects a file instead of the CA folder and names the fix', async () => {
  const folder = await emptyFolder()
  await writeFile(folder, '')

  await expect(openCertificateAuthority(folder)).rejects.toThrow(
    /^Cannot open the local CA in ".*": .*\. Fix this problem, or move the folder away to create a new CA$/,
  )
})

import { createPrivateKey, randomUUID, X509Certificate, type KeyObject } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isError } from '../../spec/errors.ts'
import { describeFileError, makeFolder, syncFolder } from './files.ts'

export class CertificateAuthorityError extends Error {
  override readonly name = 'CertificateAuthorityError'
  /** True if the files are intact, but the folder cannot be read or written. */
  readonly unusable: boolean

  constructor(message: string, { unusable = false, ...options }: ErrorOptions & { unusable?: boolean } = {}) {
    super(message, options)
    this.unusable = unusable
  }
}

export interface AuthorityPems {
  readonly certificatePem: string
  readonly privateKeyPem: string
}

export interface OpenedAuthority {
  readonly certificatePem: string
  readonly certificatePath: string
  readonly key: KeyObject
}

interface Paths {
  readonly certificate: string
  readonly key: string
}

/** Opens or creates the CA. The key file also contains the certificate, so processes cannot mix the files of two CAs. */
export async function openAuthorityFiles(
  folder: string,
  make: () => Promise<AuthorityPems>,
): Promise<OpenedAuthority> {
  const paths = { certificate: join(folder, 'ca.crt.pem'), key: join(folder, 'ca.key.pem') }
  try {
    return await openOrCreate(folder, paths, make)
  } catch (cause) {
    if (!(isError(cause) && 'syscall' in cause)) throw cause
    const message = `Cannot open the local CA in "${folder}": ${describeFileError(cause)}. Fix this problem, or move the folder away to create a new CA`
    throw new CertificateAuthorityError(message, { cause, unusable: true })
  }
}

async function openOrCreate(
  folder: string,
  paths: Paths,
  make: () => Promise<AuthorityPems>,
): Promise<OpenedAuthority> {
  makeFolder(folder, 0o700)
  // Reads the certificate before the key, because another process creates the CA in the opposite order.
  const certificateText = await readIfPresent(paths.certificate)
  const keyText = await readIfPresent(paths.key)

  if (keyText === undefined && certificateText !== undefined)
    throw damageError(paths, 'key', 'the key file is missing')
  const bundle = keyText ?? (await writeKeyOnce(paths.key, await make()))
  const certificatePem = certificateText ?? (await writeCertificate(paths, bundle))
  return checkAuthority({ certificatePem, bundle }, paths)
}

async function writeKeyOnce(path: string, { privateKeyPem, certificatePem }: AuthorityPems): Promise<string> {
  const temporary = `${path}.${randomUUID()}`
  await writeFile(temporary, privateKeyPem + certificatePem, { mode: 0o600, flush: true })
  try {
    // Uses a link, because a rename would replace the file of another process.
    await link(temporary, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(temporary)
  }
  return readFile(path, 'utf8')
}

async function writeCertificate(paths: Paths, bundle: string): Promise<string> {
  const certificatePem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/.exec(bundle)?.[0]
  if (certificatePem === undefined) throw damageError(paths, 'certificate', 'the certificate is missing')

  const temporary = `${paths.certificate}.${randomUUID()}`
  await writeFile(temporary, certificatePem, { flush: true })
  await rename(temporary, paths.certificate)
  syncFolder(dirname(paths.certificate))
  return certificatePem
}

function checkAuthority(
  { certificatePem, bundle }: { readonly certificatePem: string; readonly bundle: string },
  paths: Paths,
): OpenedAuthority {
  const key = readOrThrow(
    () => createPrivateKey(bundle),
    damageError(paths, 'key', 'the file has no readable private key'),
  )
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw damageError(paths, 'key', 'the key is not an EC key on the curve P-256')
  }

  const unreadable = damageError(paths, 'certificate', 'the file has no readable certificate')
  const certificate = readOrThrow(() => new X509Certificate(certificatePem), unreadable)
  if (!certificate.ca) throw damageError(paths, 'certificate', 'the certificate is not a CA certificate')
  if (!certificate.checkPrivateKey(key)) {
    throw damageError(paths, 'certificate', `the certificate does not match the key in "${paths.key}"`)
  }
  if (Date.parse(certificate.validTo) < Date.now()) {
    throw damageError(paths, 'certificate', `the certificate expired on ${certificate.validTo}`)
  }
  return { certificatePem, certificatePath: paths.certificate, key }
}

function readOrThrow<Read>(read: () => Read, otherwise: Error): Read {
  try {
    return read()
  } catch (cause) {
    otherwise.cause = cause
    throw otherwise
  }
}

function damageError(paths: Paths, which: keyof Paths, state: string): CertificateAuthorityError {
  const remedy = `Restore the file, or delete "${paths.certificate}" and "${paths.key}" to make a new CA`
  return new CertificateAuthorityError(`Cannot open the local CA in "${paths[which]}": ${state}. ${remedy}`)
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function errorCode(error: unknown): unknown {
  return isError(error) && 'code' in error ? error.code : undefined
}

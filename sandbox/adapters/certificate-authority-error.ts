/** The files of the local CA cannot be used; the message says why and what to do. */
export class CertificateAuthorityError extends Error {
  override readonly name = 'CertificateAuthorityError'
}

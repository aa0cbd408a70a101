/** The files of the local CA are damaged, or cannot be used; the message says what to do about it. */
export class CertificateAuthorityError extends Error {
  override readonly name = 'CertificateAuthorityError'
  /** Whether nothing is wrong with the files: the folder cannot be read or written. */
  readonly unusable: boolean

  constructor(message: string, { unusable = false, ...options }: ErrorOptions & { unusable?: boolean } = {}) {
    super(message, options)
    this.unusable = unusable
  }
}

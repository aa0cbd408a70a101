export class ListenError extends Error {
  override readonly name = 'ListenError'
  /** The error code of the operating system, such as EADDRINUSE. */
  readonly code: string | undefined

  constructor(
    message: string,
    { code, ...options }: ErrorOptions & { readonly code?: string | undefined } = {},
  ) {
    super(message, options)
    this.code = code
  }
}

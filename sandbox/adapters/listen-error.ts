export class ListenError extends Error {
  override readonly name = 'ListenError'
  readonly code: string | undefined

  constructor(
    message: string,
    { code, ...options }: ErrorOptions & { readonly code?: string | undefined } = {},
  ) {
    super(message, options)
    this.code = code
  }
}

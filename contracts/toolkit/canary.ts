export interface Canary {
  /** `http://127.0.0.1:PORT/…`, unguessable. */
  readonly url: string
  /** Who called, with which headers. */
  hits(): readonly { readonly path: string; readonly authorization: string | undefined }[]
}

/** What a handshake with the receiver showed. */
export type TlsProbe = TlsSeen | TlsFailed

export interface TlsSeen {
  readonly kind: 'seen'
  readonly protocol: string
  /** When, in real time: ISO 8601. */
  readonly seenAt: string
  /** The leaf first, as far as the receiver sent them. */
  readonly chain: readonly SeenCertificate[]
  /** Why it is not trusted: the sandbox's word for it; null if it is. */
  readonly distrust: string | null
  readonly message: string
}

export interface SeenCertificate {
  readonly subject: string
  readonly issuer: string
  /** ISO 8601. */
  readonly notBefore: string
  readonly notAfter: string
  readonly names: readonly string[]
}

/** No handshake came about. */
export interface TlsFailed {
  readonly kind: 'failed'
  readonly reason: string
  readonly message: string
}

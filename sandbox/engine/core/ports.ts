/** Everything the sandbox needs from the outside world. */
export interface Ports {
  readonly clock: Clock
  readonly realTime: RealTime
  readonly transport: Transport
  /** The source of all ids, so that one seed replays a whole run. */
  readonly random: Random
  readonly origin: () => ClockAndSeed
}

/** A source of uniform numbers in [0, 1). */
export interface Random {
  (): number
  /** The state of a seeded generator. Null without a seed. */
  readonly state: () => number | null
  /** Continues from a state. Null changes nothing. */
  readonly restore: (state: number | null) => void
}

export interface ClockAndSeed {
  readonly at: number
  readonly speed: number
  readonly chance: number | null
}

/** The maximum speed of a compressed clock. One real second is eleven days. */
export const FASTEST = 1_000_000

export type ClockMode = 'real' | 'compressed' | 'manual'

/** The time of the sandbox, used for timestamps and due times. */
export interface Clock {
  readonly mode: ClockMode
  /** Sandbox seconds per real second. A real clock has 1, and a manual clock has 0. */
  readonly speed: number
  /** Milliseconds since the Unix epoch. Never goes back. */
  now(): number
  /** Calls `wake` once, at or after `time`. Returns a function that cancels the call. */
  wakeAt(time: number, wake: () => void): () => void
  /** Moves forward to `time` at once and wakes everything due by then. An earlier time changes nothing. */
  moveTo(time: number): void
  /** Shows `time` or later from now on, and wakes everything due by then. A running clock waits until it catches up. */
  showAtLeast(time: number): void
  setSpeed(speed: number): void
  /** Sets any time and wakes nothing. Used when one world replaces another. */
  restartAt(time: number, speed: number): void
}

/** Real time, used for token expiry, the recording lag and the life of a command. */
export interface RealTime {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Milliseconds of a monotonic clock. */
  elapsed(): number
  /** Calls `run` after `delayMs`. Returns a function that cancels the call. */
  after(delayMs: number, run: () => void): () => void
  soon(run: () => void): void
}

export interface Transport {
  /**
   * Sends one POST and follows it to its end, for at most `deadlineMs` of real time. Never rejects. A failed
   * connection is an outcome.
   */
  post(message: Message, deadlineMs: number): Promise<Exchange>
}

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The local address to send from. Defaults to any. */
  readonly sourceAddress?: string
}

export interface Exchange {
  readonly outcome: Outcome
  readonly timings: Timings
  readonly flags: readonly ExchangeFlag[]
  readonly others?: readonly Exchange[]
}

/** Real milliseconds since the start of the exchange. Null for a phase that was not reached. */
export interface Timings {
  /** When the name was resolved. Absent for a kept connection or an address. */
  readonly resolvedMs?: number
  /** When the receiver accepted the connection, before TLS. Absent for a kept connection. */
  readonly reachedMs?: number
  /** When the connection was ready, TLS included. */
  readonly connectedMs: number | null
  /** When the status line and headers arrived. */
  readonly answeredMs: number | null
  readonly totalMs: number
}

/**
 * `response_incomplete` means that the body did not end. `response_truncated` means that the body exceeds the kept
 * size. `connection_retried` means that a reused connection died before the answer and a new one was used.
 * `response_surplus` means that the receiver sent more than the answer.
 */
export type ExchangeFlag =
  'response_incomplete' | 'response_truncated' | 'connection_retried' | 'response_surplus'

export type Outcome = Answered | Unanswered

export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  /** The headers in the received order, with names as sent. At most 100 headers and 16 KiB. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as received, without decoding. At most 64 KiB. */
  readonly body: Uint8Array
}

export interface Unanswered {
  readonly kind: 'unanswered'
  readonly reason: FailureReason
  readonly message: string
  /** The error of a receiver in this process. */
  readonly cause?: unknown
}

export type FailureReason =
  | 'blocked_address'
  | 'target_is_sandbox'
  | 'dns_not_found'
  | 'dns_failed'
  | 'dns_timeout'
  | 'connect_refused'
  | 'connect_timeout'
  | 'unreachable'
  | 'tls_timeout'
  | 'tls_expired'
  | 'tls_not_yet_valid'
  | 'tls_self_signed'
  | 'tls_hostname'
  | 'tls_untrusted_ca'
  | 'tls_incomplete_or_untrusted_chain'
  | 'tls_version'
  | 'tls_handshake'
  | 'tls_purpose'
  | 'tls_no_san'
  | 'tls_weak_key'
  | 'tls_not_tls'
  | 'tls_client_cert_required'
  | 'send_timeout'
  | 'header_timeout'
  | 'closed_without_response'
  | 'reset'
  | 'protocol_error'
  | 'unexpected_upgrade'
  | 'interrupted'
  | 'out_of_resources'
  | 'dropped_by_fault'

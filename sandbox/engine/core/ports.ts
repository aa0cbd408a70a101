export interface Ports {
  readonly clock: Clock
  readonly realTime: RealTime
  readonly transport: Transport
  readonly random: Random
  readonly origin: () => ClockAndSeed
}

/** A source of uniformly distributed random numbers in [0, 1). */
export interface Random {
  (): number
  /** Returns the state of the generator. Null if the generator has no seed. */
  readonly state: () => number | null
  /** Sets the generator to a saved state. Null changes nothing. */
  readonly restore: (state: number | null) => void
}

export interface ClockAndSeed {
  readonly at: number
  readonly speed: number
  readonly chance: number | null
}

/** The maximum speed of a compressed clock: eleven days per real second. */
export const FASTEST = 1_000_000

export type ClockMode = 'real' | 'compressed' | 'manual'

export interface Clock {
  readonly mode: ClockMode
  /** Sandbox seconds per real second. The speed of a real clock is 1, and the speed of a manual clock is 0. */
  readonly speed: number
  /** Returns milliseconds since the Unix epoch. The time never goes back. */
  now(): number
  /** Calls `wake` once, at or after `time`. Returns a function that cancels the call. */
  wakeAt(time: number, wake: () => void): () => void
  /** Moves the clock forward to `time` and calls all `wake` functions that are due by then. Ignores an earlier time. */
  moveTo(time: number): void
  /** Moves the time to at least `time`. A running clock then shows this time until its internal time has caught up. */
  showAtLeast(time: number): void
  setSpeed(speed: number): void
  /** Sets the clock to any time, even an earlier time. Does not call `wake` functions. Used when a world is replaced. */
  restartAt(time: number, speed: number): void
}

/** The real time. Token expiry, the recording lag and the lifetime of a command use real time. */
export interface RealTime {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Returns monotonic time in milliseconds. */
  elapsed(): number
  after(delayMs: number, run: () => void): () => void
  soon(run: () => void): void
}

export interface Transport {
  /** Sends one POST and returns its exchange, within `deadlineMs` of real time. Never rejects: a failed connection is a valid outcome. */
  post(message: HttpMessage, deadlineMs: number): Promise<Exchange>
}

export interface HttpMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The local address to send from. Defaults to any local address. */
  readonly sourceAddress?: string
}

export interface Exchange {
  readonly outcome: Outcome
  readonly timings: Timings
  readonly flags: readonly ExchangeFlag[]
  readonly others?: readonly Exchange[]
}

/** The times of the phases of an exchange, in real milliseconds since its start. Null for a phase that was not reached. */
export interface Timings {
  /** Time until the name was resolved. Undefined for a reused connection or an IP address. */
  readonly resolvedMs?: number
  /** Time until the TCP connection was established. Undefined for a reused connection. */
  readonly reachedMs?: number
  /** Time until the connection was established, including TLS. */
  readonly connectedMs: number | null
  /** Time until the status line and headers arrived. */
  readonly answeredMs: number | null
  readonly totalMs: number
}

/** Unusual events. `response_truncated`: the body is too long to store. `response_surplus`: bytes arrived after the response. */
export type ExchangeFlag =
  'response_incomplete' | 'response_truncated' | 'connection_retried' | 'response_surplus'

export type Outcome = Answered | Unanswered

export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  /** The headers in the received order, with names as sent. At most 100 headers and 16 KiB. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as received, without decoding. At most 64 KiB are stored. */
  readonly body: Uint8Array
}

export interface Unanswered {
  readonly kind: 'unanswered'
  readonly reason: FailureReason
  readonly message: string
  /** The error that a receiver in the same process threw. */
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

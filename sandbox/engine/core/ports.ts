/** Everything the sandbox asks of the outside world. Nothing else may. */
export interface Ports {
  readonly clock: Clock
  readonly realTime: RealTime
  readonly transport: Transport
  /** Every id draws on it, so one seed replays a whole run. */
  readonly random: Random
  /** Where a run begins. */
  readonly origin: () => Origin
}

/** Uniform numbers in [0, 1). */
export interface Random {
  (): number
  /** Where a seeded one stands; null for one that cannot be predicted. */
  readonly state: () => number | null
  /** Goes on from there; with null, one that began without a seed cannot be predicted again. */
  readonly restore: (state: number | null) => void
}

/** How the clock stands and what chance is drawn with when a run begins. */
export interface Origin {
  readonly at: number
  readonly speed: number
  readonly chance: number | null
}

/** The fastest that a compressed clock may run: a real second is eleven days. */
export const FASTEST = 1_000_000

export type ClockMode = 'real' | 'compressed' | 'manual'

/** The sandbox's own time: timestamps in bodies and records, due times of retries. */
export interface Clock {
  readonly mode: ClockMode
  /** Sandbox seconds per real second: 1 when real, 0 when moved by hand. */
  readonly speed: number
  /** Milliseconds since the Unix epoch. Never goes back. */
  now(): number
  /** Calls `wake` once, at or after `time`; returns a function that cancels it. */
  wakeAt(time: number, wake: () => void): () => void
  /** Moves forward to `time`, without waiting; an earlier time changes nothing. Wakes whoever that makes due. */
  moveTo(time: number): void
  /**
   * Shows `time` or later from now on, and wakes whoever that makes due. A clock that runs stands until it gets there, so that it is
   * right again soon.
   */
  showAtLeast(time: number): void
  /** Moves on at `speed` sandbox seconds per real second, from where it stands. */
  setSpeed(speed: number): void
  /** Sets the time, earlier or later, and wakes nobody: for a world that replaces another. */
  restartAt(time: number, speed: number): void
}

/** Time outside the sandbox: token expiry, recording lag, the life of a command. */
export interface RealTime {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Milliseconds of a clock that wall-clock changes do not move. */
  elapsed(): number
  /** Calls `run` after `delayMs`; returns a function that cancels it. */
  after(delayMs: number, run: () => void): () => void
  /** Calls `run` once the work at hand is done. */
  soon(run: () => void): void
}

export interface Transport {
  /**
   * Sends one POST and follows it to its end, at most `deadlineMs` of real time in all.
   * Never rejects: a failure to reach the receiver is an outcome.
   */
  post(message: Message, deadlineMs: number): Promise<Exchange>
}

export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact bytes to send. */
  readonly body: Uint8Array
  /** The address of this machine to send from; any if left out. */
  readonly sourceAddress?: string
}

export interface Exchange {
  readonly outcome: Outcome
  readonly timings: Timings
  readonly flags: readonly ExchangeFlag[]
  /** What a fault had sent beside it, or answered and lost. */
  readonly others?: readonly Exchange[]
}

/** Real milliseconds since the start of the exchange; null for a phase that was not reached. */
export interface Timings {
  /** When the name had its addresses; left out on a kept connection, and where no name was looked up. */
  readonly resolvedMs?: number
  /** When the receiver had taken the connection, before TLS; left out on a kept connection. */
  readonly reachedMs?: number
  /** When a usable connection (TLS included) was at hand. */
  readonly connectedMs: number | null
  /** When the status line and headers had arrived. */
  readonly answeredMs: number | null
  readonly totalMs: number
}

/**
 * `response_incomplete`: the status line came, the body did not end (cut off, or the deadline passed).
 * `response_truncated`: the body was longer than what is kept.
 * `connection_retried`: a reused connection died before the answer's first byte; sent once more on a fresh one.
 * `response_surplus`: more came than the answer, or, since the exchange before this one, without having been asked for.
 */
export type ExchangeFlag =
  'response_incomplete' | 'response_truncated' | 'connection_retried' | 'response_surplus'

export type Outcome = Answered | Unanswered

export interface Answered {
  readonly kind: 'answered'
  readonly status: number
  /** In the order received, names as sent; at most 100 and 16 KiB. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** As received, never decoded; at most 64 KiB. */
  readonly body: Uint8Array
}

export interface Unanswered {
  readonly kind: 'unanswered'
  readonly reason: FailureReason
  /** One sentence for a person: what happened, with the value, and what to do about it. */
  readonly message: string
  /** What a receiver of this process threw. */
  readonly cause?: unknown
}

/** Why an attempt ended without a status line. */
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

import type { ExchangeFlag, FailureReason, Timings } from '../core/ports.ts'

/** Why an attempt failed: no answer, an answer that is not a success, or a body that the store does not have as it was written. */
export type AttemptReason = FailureReason | `http_${number}` | 'corrupt'

/** What an attempt keeps of what was sent and answered. */
export interface ExchangeRecord {
  readonly request_headers: readonly (readonly [name: string, value: string])[]
  /** Null when the job's own bytes were sent. */
  readonly request_body: string | null
  readonly response: {
    readonly headers: readonly (readonly [name: string, value: string])[]
    /** Base64 of the bytes received. */
    readonly body: string
  } | null
  /** What was sent beside it because of a fault, or answered and lost. */
  readonly others?: readonly OtherExchange[]
}

/** An exchange that decides nothing, as it is kept. */
export interface OtherExchange {
  readonly status: number | null
  readonly reason: FailureReason | null
  readonly message: string
  readonly flags: readonly ExchangeFlag[]
  readonly timings: Timings
  readonly response: ExchangeRecord['response']
}

/** A delivery that was crafted on the bench, to one URL, as often as was asked for. */
export interface CraftedDelivery {
  readonly id: string
  readonly url: string
  readonly registration_id: string | null
  readonly request_headers: ExchangeRecord['request_headers']
  /** Base64 of the bytes sent. */
  readonly request_body: string
  /** In the order in which they were sent. */
  readonly exchanges: readonly OtherExchange[]
}

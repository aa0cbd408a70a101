import type * as Stored from '../../../spec/generated/control-types.ts'
import type { FailureReason } from '../core/ports.ts'
import type { Precise } from '../core/precise.ts'

/** Why an attempt failed: no answer, an answer that is not a success, or a body that the store does not have as it was written. */
export type AttemptReason = FailureReason | `http_${number}` | 'corrupt'

type Headers = readonly (readonly [name: string, value: string])[]

/** Null if nothing was answered. `body` is Base64 of the bytes received. */
type StoredResponse = { readonly headers: Headers; readonly body: string } | null

/** What an attempt keeps of what was sent and answered. `request_body` is null when the job's own bytes were sent. */
export type ExchangeRecord = Precise<
  Stored.StoredExchange,
  {
    readonly request_headers: Headers
    readonly response: StoredResponse
    readonly others?: readonly OtherExchange[]
  }
>

/** An exchange that decides nothing, as it is kept. */
export type OtherExchange = Precise<
  Stored.StoredOtherExchange,
  { readonly reason: FailureReason | null; readonly response: StoredResponse }
>

/** A delivery that was crafted on the bench, to one URL, as often as was asked for. `request_body` is Base64 of the bytes sent. */
export type CraftedDelivery = Precise<
  Stored.StoredDelivery,
  { readonly request_headers: Headers; readonly exchanges: readonly OtherExchange[] }
>

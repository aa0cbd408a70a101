import type * as Stored from '../../../spec/generated/control-types.ts'
import type { FailureReason } from '../core/ports.ts'
import type { Precise } from '../core/precise.ts'

/** Why an attempt failed: no response, a response that is not a success, or a body that was changed in the store. */
export type AttemptReason = FailureReason | `http_${number}` | 'corrupt'

type Headers = readonly (readonly [name: string, value: string])[]

/** Null if nothing was answered. `body` is Base64 of the bytes received. */
type StoredResponse = { readonly headers: Headers; readonly body: string } | null

/** The stored request and response of an attempt. `request_body` is null when the job's own bytes were sent. */
export type ExchangeRecord = Precise<
  Stored.StoredExchange,
  {
    readonly request_headers: Headers
    readonly response: StoredResponse
    readonly others?: readonly OtherExchange[]
  }
>

export type OtherExchange = Precise<
  Stored.StoredOtherExchange,
  { readonly reason: FailureReason | null; readonly response: StoredResponse }
>

/** A delivery that was crafted on the bench, to one URL, as often as was asked for. `request_body` is Base64 of the bytes sent. */
export type CraftedDelivery = Precise<
  Stored.StoredDelivery,
  { readonly request_headers: Headers; readonly exchanges: readonly OtherExchange[] }
>

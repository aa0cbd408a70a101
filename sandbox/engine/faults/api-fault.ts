import type { ApiError } from '../core/api-error.ts'
import type { FaultState } from '../state/fault.ts'
import type { Gates } from './gates.ts'

/** A way for the API to misbehave: an answer around an answer. */
export type ApiFault = (next: () => Promise<Response>, occasion: ApiOccasion) => Promise<Response>

/** The call that a fault applies to. */
export interface ApiOccasion {
  readonly fault: FaultState
  readonly gates: Gates
  /** When the caller goes away. */
  readonly signal: AbortSignal
  /** The Show body of the object so many revisions ago; undefined if the call shows none. */
  readonly earlierShow: (revisionsBack: number) => unknown
  /** A refusal in the way of the operation. */
  readonly refuse: (error: ApiError) => Response
}

/** How a connection that is cut looks to what serves it. */
export function cutConnection(): Response {
  return Response.error()
}

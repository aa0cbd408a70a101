import type { ApiError } from '../core/api-error.ts'
import type { HttpResponse } from '../core/http.ts'
import type { FaultStateOn } from '../state/fault.ts'
import type { Gates } from './gates.ts'

/** The call that a fault applies to. */
export interface FaultedCall {
  readonly fault: FaultStateOn<'api'>
  readonly gates: Gates
  /** When the caller goes away. */
  readonly signal: AbortSignal
  /** The Show body of the object so many revisions ago; undefined if the call shows none. */
  readonly earlierShow: (revisionsBack: number) => unknown
  /** A refusal in the way of the operation. */
  readonly refuse: (error: ApiError) => HttpResponse
}

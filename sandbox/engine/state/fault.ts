import type { FaultPlace, PlacedFaultKind } from '../../../spec/faults.ts'
import type { FaultMatch } from '../../../spec/generated/control-types.ts'

/** Something that is to go wrong, as it was asked for. */
export type FaultRule = PlacedFaultKind & FaultRuleFields

interface FaultRuleFields {
  readonly id: string
  readonly match: FaultMatch
  /** How often it applies; null until it is removed. */
  readonly times: number | null
  /** How many matches go by first. */
  readonly skip: number
  /** The chance of each match that does not go by. */
  readonly probability: number
  /** What the chances are drawn with. */
  readonly seed: number
  readonly settings: FaultSettings
}

/** Before the call does anything, after it has read its answer, or in the middle of the answer's body. */
export type CallPhase = 'request' | 'answer' | 'body'

/** The settings of a kind, beside when it applies. */
export interface FaultSettings {
  readonly copies?: number
  /** Real time. */
  readonly delay_ms?: number
  /** Where in a call it goes wrong; before the call does anything if left out. */
  readonly at?: CallPhase
  readonly status?: number
  /** Seconds. */
  readonly retry_after?: number
  readonly revisions_back?: number
  /** Values by JSON pointer. */
  readonly set?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A fault with what has come of it so far. */
export type FaultState = FaultRule & FaultCounts
export type FaultStateOn<Place extends FaultPlace> = Extract<FaultState, { readonly on: Place }>

interface FaultCounts {
  readonly matched: number
  readonly applied: number
  /** Sandbox time, epoch milliseconds. */
  readonly created_at: number
}

/** A fault as an attempt or a call names it. */
export interface AppliedFault {
  readonly id: string
  readonly kind: FaultRule['kind']
}

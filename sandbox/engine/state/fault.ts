import type { FaultPlace, PlacedFaultKind } from '../../../spec/faults.ts'
import type * as Stored from '../../../spec/generated/control-types.ts'
import type { Precise } from '../core/precise.ts'

export type { FaultSettings } from '../../../spec/generated/control-types.ts'

export type FaultRule = PlacedFaultKind & Omit<Stored.StoredFault, 'on' | 'kind'>

export type FaultState = FaultRule & FaultCounts
export type FaultStateOn<Place extends FaultPlace> = Extract<FaultState, { readonly on: Place }>

export interface FaultCounts {
  readonly matched: number
  readonly applied: number
  /** Sandbox time, epoch milliseconds. */
  readonly created_at: number
}

/** A fault as an attempt or a call names it. */
export type AppliedFault = Precise<Stored.AppliedFault, { readonly kind: FaultRule['kind'] }>

import { FAULTS } from './generated/faults.ts'

export interface FaultKindByPlace {
  readonly delivery: keyof typeof FAULTS.delivery
  readonly api: keyof typeof FAULTS.api
}

export type FaultPlace = keyof FaultKindByPlace
export type DeliveryFaultKind = FaultKindByPlace['delivery']
export type ApiFaultKind = FaultKindByPlace['api']

export interface FaultKind {
  readonly about: string
  readonly takes: readonly string[]
  /** The required settings. A fault must have at least one of these settings. */
  readonly needs?: readonly string[]
}

/** A fault kind with its place (`delivery` or `api`): the kind `delay` exists in both places. */
export type PlacedFaultKind = {
  [Place in FaultPlace]: { readonly on: Place; readonly kind: FaultKindByPlace[Place] }
}[FaultPlace]

export type FaultKinds = { readonly [Place in FaultPlace]: Readonly<Record<string, FaultKind>> }

export const faultKinds: FaultKinds = FAULTS

export function isFaultKind<Place extends FaultPlace>(
  on: Place,
  kind: string,
): kind is FaultKindByPlace[Place] {
  return Object.hasOwn(faultKinds[on], kind)
}

export function describeFaultKind({ on, kind }: PlacedFaultKind): FaultKind {
  return on === 'delivery' ? FAULTS.delivery[kind] : FAULTS.api[kind]
}

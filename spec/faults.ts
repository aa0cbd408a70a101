import { FAULTS } from './generated/faults.ts'

/** The kinds of faults by where something goes wrong: with what the service sends, or with what it is asked. */
export interface FaultKindByPlace {
  readonly delivery: keyof typeof FAULTS.delivery
  readonly api: keyof typeof FAULTS.api
}

export type FaultPlace = keyof FaultKindByPlace
export type DeliveryFaultKind = FaultKindByPlace['delivery']
export type ApiFaultKind = FaultKindByPlace['api']

/** One way to go wrong. */
export interface FaultKind {
  readonly about: string
  /** The settings that it takes. */
  readonly takes: readonly string[]
  /** Those of which it must be given one. */
  readonly needs?: readonly string[]
}

/** A kind together with its place: two places have a `delay`. */
export type PlacedFaultKind = {
  [Place in FaultPlace]: { readonly on: Place; readonly kind: FaultKindByPlace[Place] }
}[FaultPlace]

export type FaultKinds = { readonly [Place in FaultPlace]: Readonly<Record<string, FaultKind>> }

/** Everything that can be made to go wrong, by where and by its name. */
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

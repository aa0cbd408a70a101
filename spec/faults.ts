import { FAULTS } from './generated/faults.ts'

/** Where something goes wrong: with what the service sends, or with what it is asked. */
export type FaultPlace = 'delivery' | 'api'

/** One way to go wrong. */
export interface FaultKind {
  readonly about: string
  /** The settings that it takes. */
  readonly takes: readonly string[]
  /** Those of which it must be given one. */
  readonly needs?: readonly string[]
}

export type FaultKinds = { readonly [Place in FaultPlace]: Readonly<Record<string, FaultKind>> }

/** Everything that can be made to go wrong, by where and by its name. */
export const faultKinds: FaultKinds = FAULTS

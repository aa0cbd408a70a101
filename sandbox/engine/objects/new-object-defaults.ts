import type { EngineContext } from '../state/context.ts'
import { timestamp } from '../core/timestamp.ts'

/** Fields of an object as a user gives them, still to be checked against the spec. */
export type ObjectFields = Readonly<Record<string, unknown>>

/** What a new object gets from the sandbox. */
export interface NewObjectDefaults {
  readonly id: string
  /** For objects that have an integer id too. */
  readonly number: number
  /** Sandbox time, as a body prints it. */
  readonly now: string
  readonly newId: () => string
}

export function newObjectDefaults(
  id: string,
  { now, newId, newNumber }: Pick<EngineContext, 'now' | 'newId' | 'newNumber'>,
): NewObjectDefaults {
  return { id, number: newNumber(), now: timestamp(now()), newId }
}

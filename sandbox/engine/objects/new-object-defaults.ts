import type { EngineContext } from './context.ts'
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
  context: Pick<EngineContext, 'view' | 'now' | 'newId' | 'newNumber'>,
): NewObjectDefaults {
  const { now, newId } = context
  return { id, number: drawNumber(context), now: timestamp(now()), newId }
}

/** Beyond that nearly all are taken. */
const MOST_TRIES = 100

/** Those that are drawn have seven digits: of some thousand two would often be the same. */
function drawNumber({ view, newNumber }: Pick<EngineContext, 'view' | 'newNumber'>): number {
  const isTaken = (number: number) => view.keptId('accounts', String(number)) !== undefined
  let number = newNumber()
  for (let tries = 0; isTaken(number) && tries < MOST_TRIES; tries++) number = newNumber()
  return number
}

import type { EngineContext } from '../state/context.ts'
import type { Birth } from './plausible.ts'
import { timestamp } from '../core/timestamp.ts'

/** What a new object with this id gets. */
export function birthOf(
  id: string,
  { now, newId, newNumber }: Pick<EngineContext, 'now' | 'newId' | 'newNumber'>,
): Birth {
  return { id, number: newNumber(), now: timestamp(now()), newId }
}

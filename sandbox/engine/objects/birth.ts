import { timestamp, type Context } from '../../api/operations/operation.ts'
import type { Birth } from './plausible.ts'

/** What a new object with this id gets. */
export function birthOf(
  id: string,
  { now, newId, newNumber }: Pick<Context, 'now' | 'newId' | 'newNumber'>,
): Birth {
  return { id, number: newNumber(), now: timestamp(now()), newId }
}

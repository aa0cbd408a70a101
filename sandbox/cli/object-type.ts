import { isNotifiedType, notifiedTypes, type NotifiedType } from '../../spec/notifications.ts'
import { correctSpelling } from '../engine/core/nearest.ts'
import { UsageError } from './failure.ts'

/** The object type of that name. Throws UsageError with the one that was meant. */
export function parseObjectType(text: string): NotifiedType {
  if (isNotifiedType(text)) return text
  throw new UsageError(unknownType(text, notifiedTypes))
}

/** The message for a type that does not exist. */
export function unknownType(text: string, types: readonly string[]): string {
  const meant = correctSpelling(text, types)
  const question = meant === undefined ? '; the' : `; did you mean "${meant}"? The`
  return `Cannot use object type "${text}": there is no such type${question} types are ${types.join(', ')}`
}

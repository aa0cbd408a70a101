import type { Head } from './entries.ts'
import { enabledId, type Indexes } from './indexes.ts'

/** At most one registration per type and generation is enabled. Source: §8. Reading: one-per-generation */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
}

/** Throws ConflictError for a registration that would be the second enabled one of its type and generation. */
export function refuseSecondEnabled(indexes: Indexes, head: Head): void {
  if (head.kind !== 'registration' || !head.registration.enabled) return
  const { id, generation, object_type } = head.registration
  const taken = enabledId(indexes, generation, object_type)
  if (taken !== undefined && taken !== id) {
    throw new ConflictError(
      `Cannot enable "${id}": "${taken}" is enabled for ${object_type} in ${generation}`,
    )
  }
}

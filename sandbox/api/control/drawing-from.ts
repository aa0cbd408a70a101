import { seeded } from '../../engine/core/seeded-random.ts'
import { newUuid } from '../../engine/core/ids.ts'
import type { ControlContext } from './operation.ts'

/** The same context, with ids drawn from a seed of the call's own if it has one. */
export function drawingFrom(seed: number | undefined, context: ControlContext): ControlContext {
  if (seed === undefined) return context
  const random = seeded(seed)
  return {
    ...context,
    newId: () => newUuid(random),
    newNumber: () => 1_000_000 + Math.floor(random() * 8_000_000),
  }
}

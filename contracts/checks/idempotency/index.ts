import type { Check } from '../../check.ts'
import { changeChecks } from './changes.ts'
import { interruptionChecks } from './interruptions.ts'
import { repetitionChecks } from './repetitions.ts'

export const idempotencyChecks: readonly Check[] = [
  ...repetitionChecks,
  ...interruptionChecks,
  ...changeChecks,
]

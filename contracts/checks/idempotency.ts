import type { Check } from '../check.ts'
import { changeChecks } from './idempotency/changes.ts'
import { interruptionChecks } from './idempotency/interruptions.ts'
import { repetitionChecks } from './idempotency/repetitions.ts'

export const idempotencyChecks: readonly Check[] = [
  ...repetitionChecks,
  ...interruptionChecks,
  ...changeChecks,
]

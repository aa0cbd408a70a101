import type { Check } from '../../check.ts'
import { anySequenceCheck } from './any-sequence.ts'
import { arrivalChecks } from './arrivals.ts'
import { companionChecks } from './companions.ts'
import { outcomeChecks } from './outcomes.ts'

export const orderChecks: readonly Check[] = [
  ...arrivalChecks,
  ...outcomeChecks,
  ...companionChecks,
  anySequenceCheck,
]

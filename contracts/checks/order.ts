import type { Check } from '../check.ts'
import { anySequenceCheck } from './order/any-sequence.ts'
import { arrivalChecks } from './order/arrivals.ts'
import { companionChecks } from './order/companions.ts'
import { outcomeChecks } from './order/outcomes.ts'

export const orderChecks: readonly Check[] = [
  ...arrivalChecks,
  ...outcomeChecks,
  ...companionChecks,
  anySequenceCheck,
]

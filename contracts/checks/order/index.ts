import { anySequenceCheck } from './any-sequence.ts'
import { arrivalChecks } from './arrivals.ts'
import { companionChecks } from './companions.ts'
import { outcomeChecks } from './outcomes.ts'
import type { ReceiverCheck } from '../../toolkit/check-context.ts'

export const orderChecks: readonly ReceiverCheck[] = [
  ...arrivalChecks,
  ...outcomeChecks,
  ...companionChecks,
  anySequenceCheck,
]

import { changeChecks } from './changes.ts'
import { interruptionChecks } from './interruptions.ts'
import { lateRepetitionChecks } from './late-repetition.ts'
import { repetitionChecks } from './repetitions.ts'
import { samePayerChecks } from './same-payer.ts'
import { restartChecks } from './restarts.ts'
import type { ReceiverCheck } from '../../toolkit/check-context.ts'

export const idempotencyChecks: readonly ReceiverCheck[] = [
  ...repetitionChecks,
  ...interruptionChecks,
  ...changeChecks,
  ...samePayerChecks,
  ...restartChecks,
  ...lateRepetitionChecks,
]

import { changeChecks } from './changes.ts'
import { interruptionChecks } from './interruptions.ts'
import { lateRepetitionChecks } from './late-repetition.ts'
import { repetitionChecks } from './repetitions.ts'
import { restartChecks } from './restarts.ts'
import type { ReceiverCheck } from '../../toolkit/check-context.ts'

export const idempotencyChecks: readonly ReceiverCheck[] = [
  ...repetitionChecks,
  ...interruptionChecks,
  ...changeChecks,
  ...restartChecks,
  ...lateRepetitionChecks,
]

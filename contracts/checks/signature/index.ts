import type { ReceiverCheck } from '../../toolkit/check-context.ts'
import { forgeryChecks } from './forgeries.ts'
import { headerChecks } from './headers.ts'
import { timeChecks } from './times.ts'
import { unsignedCallbacksCheck } from './unsigned-callbacks.ts'

export const signatureChecks: readonly ReceiverCheck[] = [
  ...forgeryChecks,
  ...timeChecks,
  ...headerChecks,
  unsignedCallbacksCheck,
]

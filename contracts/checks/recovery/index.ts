import type { ReceiverCheck } from '../../toolkit/check-context.ts'
import { outageChecks } from './outages.ts'

export const recoveryChecks: readonly ReceiverCheck[] = [...outageChecks]

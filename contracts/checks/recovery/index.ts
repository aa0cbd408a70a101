import type { ReceiverCheck } from '../../toolkit/check-context.ts'
import { killChecks } from './kills.ts'
import { missedNotificationChecks } from './missed-notifications.ts'
import { outageChecks } from './outages.ts'

export const recoveryChecks: readonly ReceiverCheck[] = [
  ...outageChecks,
  ...killChecks,
  // The clock of the service has moved on when it is over.
  ...missedNotificationChecks,
]

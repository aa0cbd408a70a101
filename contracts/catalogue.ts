import { brokenBodyChecks } from './checks/body/broken.ts'
import { formChecks } from './checks/body/forms.ts'
import { futureChecks } from './checks/body/future.ts'
import { textChecks } from './checks/body/text.ts'
import { valueChecks } from './checks/body/values.ts'
import { answerChecks } from './checks/http/answers.ts'
import { requestChecks } from './checks/http/requests.ts'
import { changeChecks } from './checks/idempotency/changes.ts'
import { interruptionChecks } from './checks/idempotency/interruptions.ts'
import { repetitionChecks } from './checks/idempotency/repetitions.ts'
import { oracleChecks } from './checks/oracle/index.ts'
import { anySequenceChecks, arrivalChecks } from './checks/order/arrivals.ts'
import { outcomeChecks } from './checks/order/outcomes.ts'
import { killChecks } from './checks/recovery/kills.ts'
import { missedNotificationChecks, outageChecks } from './checks/recovery/outages.ts'
import { registrationChecks } from './checks/registration/registration.ts'
import { forgeryChecks } from './checks/signature/forgeries.ts'
import { headerChecks } from './checks/signature/headers.ts'
import { transportChecks } from './checks/transport/certificate.ts'
import { hostileIdChecks } from './checks/trust/hostile-ids.ts'
import { hostileTextChecks } from './checks/trust/hostile-text.ts'
import { lieChecks } from './checks/trust/lies.ts'
import { lookupChecks } from './checks/trust/lookups.ts'
import { senderChecks } from './checks/trust/senders.ts'
import { troubleChecks } from './checks/trust/trouble.ts'
import type { ReceiverCheck } from './toolkit/check-context.ts'

/** All checks, in the order of a run. */
export const catalogue: readonly ReceiverCheck[] = [
  ...registrationChecks,
  ...transportChecks,
  ...answerChecks,
  ...requestChecks,
  ...futureChecks,
  ...formChecks,
  ...valueChecks,
  ...textChecks,
  ...brokenBodyChecks,
  ...repetitionChecks,
  ...interruptionChecks,
  ...changeChecks,
  ...arrivalChecks,
  ...outcomeChecks,
  ...anySequenceChecks,
  ...lookupChecks,
  ...lieChecks,
  ...hostileIdChecks,
  ...troubleChecks,
  ...senderChecks,
  ...hostileTextChecks,
  ...forgeryChecks,
  ...headerChecks,
  ...outageChecks,
  ...killChecks,
  // The checks for missed notifications come late, because they advance the sandbox clock for all checks.
  ...missedNotificationChecks,
  ...oracleChecks,
]

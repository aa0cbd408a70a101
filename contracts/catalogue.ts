import { bodyChecks } from './checks/body/index.ts'
import { httpChecks } from './checks/http/index.ts'
import { idempotencyChecks } from './checks/idempotency/index.ts'
import { oracleChecks } from './checks/oracle/index.ts'
import { orderChecks } from './checks/order/index.ts'
import { recoveryChecks } from './checks/recovery/index.ts'
import { registrationChecks } from './checks/registration/index.ts'
import { signatureChecks } from './checks/signature/index.ts'
import { transportChecks } from './checks/transport/index.ts'
import { trustChecks } from './checks/trust/index.ts'
import type { ReceiverCheck } from './toolkit/check-context.ts'

/** Every check there is, in the order in which they run. */
export const catalogue: readonly ReceiverCheck[] = [
  ...registrationChecks,
  ...transportChecks,
  ...httpChecks,
  ...bodyChecks,
  ...idempotencyChecks,
  ...orderChecks,
  ...trustChecks,
  ...signatureChecks,
  ...recoveryChecks,
  ...oracleChecks,
]

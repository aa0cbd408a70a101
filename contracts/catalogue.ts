import type { Check } from './check.ts'
import { bodyChecks } from './checks/body.ts'
import { httpChecks } from './checks/http.ts'
import { idempotencyChecks } from './checks/idempotency.ts'
import { orderChecks } from './checks/order.ts'
import { recoveryChecks } from './checks/recovery.ts'
import { registrationChecks } from './checks/registration.ts'
import { transportChecks } from './checks/transport.ts'
import { trustChecks } from './checks/trust.ts'

/** Every check there is, in the order in which they run. */
export const catalogue: readonly Check[] = [
  ...registrationChecks,
  ...transportChecks,
  ...httpChecks,
  ...bodyChecks,
  ...idempotencyChecks,
  ...orderChecks,
  ...trustChecks,
  ...recoveryChecks,
]

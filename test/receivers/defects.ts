import { bodyDefects } from './defects/body.ts'
import type { Defect } from './defects/defect.ts'
import { expiryDefects } from './defects/expiry.ts'
import { forgeryDefects } from './defects/forgery.ts'
import { httpDefects } from './defects/http.ts'
import { idempotencyDefects } from './defects/idempotency.ts'
import { oracleDefects } from './defects/oracle.ts'
import { orderDefects } from './defects/order.ts'
import { recoveryDefects } from './defects/recovery.ts'
import { registrationDefects } from './defects/registration.ts'
import { retryDefects } from './defects/retries.ts'
import { signatureDefects } from './defects/signature.ts'
import { sourceDefects } from './defects/sources.ts'
import { transportDefects } from './defects/transport.ts'
import { trustDefects } from './defects/trust.ts'
import { valueDefects } from './defects/values.ts'
import { workDefects } from './defects/work.ts'
import { startReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'

/** Receiver defects that checks detect. Each check detects at least one defect. */
export const DEFECTS: readonly Defect[] = [
  ...registrationDefects,
  ...transportDefects,
  ...httpDefects,
  ...bodyDefects,
  ...valueDefects,
  ...idempotencyDefects,
  ...expiryDefects,
  ...orderDefects,
  ...forgeryDefects,
  ...trustDefects,
  ...sourceDefects,
  ...retryDefects,
  ...signatureDefects,
  ...recoveryDefects,
  ...workDefects,
  ...oracleDefects,
]

/** Starts the careful receiver with one defect. Throws RangeError for an unknown defect. */
export function startWithDefect(name: string, options: ReceiverOptions): Promise<Receiver> {
  const defect = DEFECTS.find((one) => one.name === name)
  if (!defect) throw new RangeError(`Cannot start: there is no defect "${name}"`)
  return startReceiver({ ...options, ...defect.options }, defect.parts?.(options.clock ?? Date.now))
}

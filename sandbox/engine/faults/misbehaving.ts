import { craftedShow } from './api/crafted-show.ts'
import { delay } from './api/delay.ts'
import { expiredToken } from './api/expired-token.ts'
import { hang } from './api/hang.ts'
import { rateLimit } from './api/rate-limit.ts'
import { reset } from './api/reset.ts'
import { staleShow } from './api/stale-show.ts'
import { status } from './api/status.ts'
import type { FaultState } from '../state/fault.ts'
import type { ApiFault, ApiOccasion } from './api-fault.ts'

const API_FAULTS: ReadonlyMap<string, ApiFault> = new Map([
  ['status', status],
  ['delay', delay],
  ['hang', hang],
  ['reset', reset],
  ['stale-show', staleShow],
  ['crafted-show', craftedShow],
  ['rate-limit', rateLimit],
  ['expired-token', expiredToken],
])

/** Answers as these faults make it answer, the first of them innermost. */
export function misbehaving(
  answer: () => Promise<Response>,
  faults: readonly FaultState[],
  occasion: Omit<ApiOccasion, 'fault'>,
): Promise<Response> {
  const whole = faults.reduce<() => Promise<Response>>((next, fault) => {
    const misbehave = API_FAULTS.get(fault.kind)
    return misbehave ? () => misbehave(next, { ...occasion, fault }) : next
  }, answer)
  return whole()
}

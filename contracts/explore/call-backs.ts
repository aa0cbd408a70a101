import type { CheckContext, Message } from '../toolkit/check-context.ts'
import { isMiss, type CallBack } from '../explored-case.ts'

/** A service that fails when the receiver asks about an object. */
export interface FailingCallBack {
  /** True if the answer comes after the next delivery. */
  readonly isLate: boolean
  /** True if the next delivery waits until it is over. */
  readonly isFirst: boolean
  /** Waits until the receiver has asked, at most so long. */
  untilAsked(mostMs: number): Promise<void>
  /** Waits until the service has failed as often as it should; then it works again. */
  untilOver(): Promise<void>
}

type Fault = Omit<Parameters<CheckContext['service']['disturb']>[0], 'match'>

const LATE_MS = 400

const FAULTS: { readonly [Kind in CallBack]: Fault } = {
  'unavailable-once': { kind: 'status', status: 503, times: 1 },
  'unavailable-for-a-while': { kind: 'status', status: 503 },
  'broken-for-a-while': { kind: 'status', status: 500 },
  slow: { kind: 'delay', delay_ms: LATE_MS, times: 1 },
  stale: { kind: 'delay', at: 'answer', delay_ms: LATE_MS, times: 1 },
  reset: { kind: 'reset', times: 1 },
  cut: { kind: 'reset', at: 'body', times: 1 },
  'expired-token': { kind: 'expired-token', times: 1 },
  'not-found': { kind: 'status', status: 404, times: 1 },
  'not-found-for-a-while': { kind: 'status', status: 404 },
  'rate-limit': { kind: 'rate-limit', retry_after: 1, times: 1 },
  'no-answer': { kind: 'hang', times: 1 },
  'no-end': { kind: 'hang', at: 'body', times: 1 },
}

/** An outage lasts so many calls and so long, but no longer than this after the last delivery, however seldom the receiver asks. */
const OUTAGE_CALLS = 4
const LEAST_OUTAGE_MS = 600
const MOST_OUTAGE_MS = 1_500
const POLL_MS = 20

export async function failCallBack(
  context: CheckContext,
  { type, id }: Message,
  kind: CallBack,
): Promise<FailingCallBack> {
  const { calls, service, elapsed } = context
  const fault = FAULTS[kind]
  const before = (await calls.about({ type, id })).length
  const startedAt = elapsed()
  const { stop } = await service.disturb({ ...fault, match: { object_type: type, object_id: id } })
  const untilCalls = async (count: number, mostMs: number) => {
    const end = elapsed() + mostMs
    while (elapsed() < end && (await calls.about({ type, id })).length < before + count)
      await context.pause(POLL_MS)
  }
  return {
    isLate: kind === 'slow' || kind === 'stale',
    isFirst: isMiss(kind),
    untilAsked: (mostMs) => untilCalls(1, mostMs),
    async untilOver() {
      // A call that is never answered ends by the time-out of the receiver.
      if (fault.kind === 'hang') return
      await untilCalls(fault.times ?? OUTAGE_CALLS, MOST_OUTAGE_MS)
      if (fault.times === undefined) await context.pause(Math.max(0, startedAt + LEAST_OUTAGE_MS - elapsed()))
      await stop()
    },
  }
}

import type { CheckContext, Message, ServiceFault } from '../toolkit/check-context.ts'
import { isMiss, type CallBack } from '../explored-case.ts'

export interface FailingCallBack {
  /** True if the service responds to the call only after the next delivery. */
  readonly isLate: boolean
  /** True if the exploration sends the next delivery only after the failure has ended. */
  readonly isFirst: boolean
  untilAsked(mostMs: number): Promise<void>
  untilOver(): Promise<void>
}

const LATE_MS = 400

const FAULTS: { readonly [Kind in CallBack]: ServiceFault } = {
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

/** The minimum number of calls and polls in an outage. Counts polls, because a busy machine slows polls and receiver alike. */
const OUTAGE_CALLS = 4
const MIN_LOOKS = 30
const MAX_LOOKS = 36
/** The number of calls that ends an outage early. A receiver that makes this many calls does not pause between calls. */
const RESTLESS_CALLS = 200
/** The polling interval in milliseconds. More frequent polls would slow down other work. */
const LOOK_MS = 50
const MAX_OUTAGE_MS = 1_500
const POLL_MS = 20

export async function failCallBack(
  context: CheckContext,
  { type, id }: Message,
  kind: CallBack,
): Promise<FailingCallBack> {
  const { calls, service, elapsed, pause } = context
  const fault = FAULTS[kind]
  const before = (await calls.about({ type, id })).length
  const countCalls = async () => (await calls.about({ type, id })).length - before
  const { stop } = await service.disturb({ type, id }, fault)
  const untilCalls = async (count: number, mostMs: number) => {
    const end = elapsed() + mostMs
    while (elapsed() < end && (await countCalls()) < count) await pause(POLL_MS)
  }
  const timing = { isLate: kind === 'slow' || kind === 'stale', isFirst: isMiss(kind) }
  const untilAsked: FailingCallBack['untilAsked'] = (mostMs) => untilCalls(1, mostMs)
  // The service never answers a call with the fault `hang`, so only the timeout of the receiver ends the call.
  if (fault.kind === 'hang') return { ...timing, untilAsked, untilOver: () => Promise.resolve() }
  if (fault.times === undefined) {
    const outage = watchOutage(context, countCalls)
    const over = outage.over.then(stop)
    over.catch(() => {})
    return { ...timing, untilAsked, untilOver: () => (outage.endSoon(), over) }
  }
  const { times } = fault
  return { ...timing, untilAsked, untilOver: () => untilCalls(times, MAX_OUTAGE_MS).then(stop) }
}

function watchOutage(
  { elapsed, pause }: Pick<CheckContext, 'elapsed' | 'pause'>,
  countCalls: () => Promise<number>,
): { readonly over: Promise<void>; endSoon(): void } {
  let end = Number.POSITIVE_INFINITY
  async function untilEnough(): Promise<void> {
    let mostLooks = Number.POSITIVE_INFINITY
    let before = 0
    for (let looks = 1; ; looks++) {
      const count = await countCalls()
      const isRestless = count > before && count < RESTLESS_CALLS
      before = count
      if (count > 0) mostLooks = Math.min(mostLooks, looks + MAX_LOOKS)
      const isEnough = elapsed() >= end || looks >= mostLooks || (count >= OUTAGE_CALLS && looks > MIN_LOOKS)
      if (isEnough && !isRestless) return
      await pause(LOOK_MS)
    }
  }
  return { over: untilEnough(), endSoon: () => void (end = Math.min(end, elapsed() + MAX_OUTAGE_MS)) }
}

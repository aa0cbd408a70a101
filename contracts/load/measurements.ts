import { createHistogram } from 'node:perf_hooks'
import { isSuccess } from '../../spec/delivery.ts'

/** The times of one notification, in milliseconds since the start. */
interface MeasuredDelivery {
  readonly dueMs: number
  /** The time at which the notification was ready. The sender caused any delay before this time. */
  readonly readyMs: number
  readonly sentMs: number
  readonly endedMs: number
  readonly answer: LoadResponse
}

/** The status of an answer, or the reason for a missing answer. The sandbox uses the same reasons for its delivery attempts. */
export type LoadResponse =
  { readonly kind: 'status'; readonly status: number } | { readonly kind: 'reason'; readonly reason: string }

export function isAccepted(answer: LoadResponse): boolean {
  return answer.kind === 'status' && isSuccess(answer.status)
}

const MAX_INTERVALS = 120
const INTERVALS_MS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000]

export function createRecorder(durationMs: number) {
  const intervals = createIntervals(durationMs)
  const latency = createDurations()
  const answerTime = createDurations()
  const lag = createDurations()
  const wakeDelay = createDurations()
  const [statuses, reasons] = [new Map<string, number>(), new Map<string, number>()]
  const total = { offered: 0, sent: 0, answered: 0, accepted: 0 }
  /** The numbers of unsent notifications: not ready in time (`unmade`), or without a connection (`unplaced`). */
  const unsent = { unmade: 0, unplaced: 0 }
  const count = (what: keyof typeof total, ms: number) => {
    total[what]++
    intervals.at(ms)[what]++
  }
  return {
    offer: (dueMs: number) => count('offered', dueMs),
    drop: (why: keyof typeof unsent) => void unsent[why]++,
    end({ dueMs, readyMs, sentMs, endedMs, answer }: MeasuredDelivery) {
      count('sent', sentMs)
      latency.add(endedMs - dueMs)
      answerTime.add(endedMs - sentMs)
      lag.add(readyMs - dueMs)
      intervals.at(dueMs).latency.add(endedMs - dueMs)
      if (answer.kind === 'reason') return increase(reasons, answer.reason)
      increase(statuses, String(answer.status))
      count('answered', endedMs)
      if (isAccepted(answer)) count('accepted', endedMs)
    },
    wake: (delayMs: number) => wakeDelay.add(delayMs),
    latest: intervals.latest,
    result: () => ({
      ...total,
      unsent: { ...unsent },
      statuses: Object.fromEntries(statuses) as Readonly<Record<string, number>>,
      reasons: Object.fromEntries(reasons) as Readonly<Record<string, number>>,
      /** The time from the due time of a notification until its answer or failure. */
      latency: latency.percentiles(),
      /** The time from the sending of a notification until its answer or failure. */
      answerTime: answerTime.percentiles(),
      /** The time from the due time of a notification until its message was ready to send. */
      lag: lag.percentiles(),
      /** How late the process woke up after each sleep. */
      wakeDelay: wakeDelay.percentiles(),
      intervals: intervals.list(),
    }),
  }
}

export type Recorder = ReturnType<typeof createRecorder>
export type Measurements = ReturnType<Recorder['result']>
export type Interval = Measurements['intervals'][number]

function createIntervals(durationMs: number) {
  const lengthMs = INTERVALS_MS.find((each) => durationMs / each <= MAX_INTERVALS) ?? 3_600_000
  const openOne = () => ({ offered: 0, sent: 0, answered: 0, accepted: 0, latency: createDurations(2) })
  const open: ReturnType<typeof openOne>[] = []
  const close = ({ latency, ...counts }: ReturnType<typeof openOne>, index: number) => ({
    fromMs: index * lengthMs,
    toMs: (index + 1) * lengthMs,
    ...counts,
    latency: latency.percentiles(),
  })
  return {
    at(ms: number) {
      const index = Math.max(0, Math.floor(ms / lengthMs))
      while (open.length <= index) open.push(openOne())
      return open[index] ?? openOne()
    },
    latest(nowMs: number) {
      const index = Math.floor(nowMs / lengthMs) - 1
      const found = open[index]
      return found && close(found, index)
    },
    list: () => open.map(close),
  }
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** The longest duration that the histogram can record: one hour. */
const LONGEST_US = 3_600_000_000

/** Counts durations in constant memory. `figures` is the number of significant digits. */
export function createDurations(figures: 2 | 3 = 3) {
  const histogram = createHistogram({ lowest: 1, highest: LONGEST_US, figures })
  const at = (share: number) => (histogram.count === 0 ? null : histogram.percentile(share) / 1_000)
  return {
    get count() {
      return histogram.count
    },
    add(durationMs: number) {
      histogram.record(Math.min(LONGEST_US, Math.max(1, Math.round(durationMs * 1_000))))
    },
    /** Returns the percentiles in milliseconds. Each percentile is null if no duration was recorded. */
    percentiles() {
      const max = histogram.count === 0 ? null : histogram.max / 1_000
      return { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max }
    },
  }
}

export type Percentiles = ReturnType<ReturnType<typeof createDurations>['percentiles']>

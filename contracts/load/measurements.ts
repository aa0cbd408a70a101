import { createHistogram } from 'node:perf_hooks'
import type { Schedule } from './schedule.ts'
import type { Stopwatch } from '../probes/stopwatch.ts'
import { isSuccess } from '../../spec/delivery.ts'

/** The times of one notification, in milliseconds since the start. */
interface Delivery {
  readonly dueMs: number
  /** The time when it was ready. The time before belongs to the sender. */
  readonly readyMs: number
  readonly sentMs: number
  readonly endedMs: number
  readonly answer: Answer
}

/** The status of an answer, or the reason for none as in attempts. */
export type Answer =
  { readonly kind: 'status'; readonly status: number } | { readonly kind: 'reason'; readonly reason: string }

export function isAccepted(answer: Answer): boolean {
  return answer.kind === 'status' && isSuccess(answer.status)
}

const MOST_INTERVALS = 120
const INTERVALS_MS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000]

export function createRecorder(durationMs: number) {
  const intervals = createIntervals(durationMs)
  const latency = createDurations()
  const answerTime = createDurations()
  const lag = createDurations()
  const wakeDelay = createDurations()
  const [statuses, reasons] = [new Map<string, number>(), new Map<string, number>()]
  const total = { offered: 0, sent: 0, answered: 0, accepted: 0 }
  const count = (what: keyof typeof total, ms: number) => {
    total[what]++
    intervals.at(ms)[what]++
  }
  return {
    offer: (dueMs: number) => count('offered', dueMs),
    end({ dueMs, readyMs, sentMs, endedMs, answer }: Delivery) {
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
      /** The numbers of each status and each reason without an answer. */
      statuses: Object.fromEntries(statuses) as Readonly<Record<string, number>>,
      reasons: Object.fromEntries(reasons) as Readonly<Record<string, number>>,
      /** The time from due to answered or failed. */
      latency: latency.percentiles(),
      /** The time from sent to answered or failed. */
      answerTime: answerTime.percentiles(),
      /** The time from due to ready. */
      lag: lag.percentiles(),
      /** The delay of each wake-up of the process. */
      wakeDelay: wakeDelay.percentiles(),
      intervals: intervals.list(),
    }),
  }
}

export type Recorder = ReturnType<typeof createRecorder>
export type Measurements = ReturnType<Recorder['result']>
export type Interval = Measurements['intervals'][number]

/** As many intervals as a curve can show, and more for late answers. */
function createIntervals(durationMs: number) {
  const lengthMs = INTERVALS_MS.find((each) => durationMs / each <= MOST_INTERVALS) ?? 3_600_000
  /** The counts of due, sent, answered and accepted notifications, and the latency of the due ones. */
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
    /** Returns the last finished interval. */
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

/** Longer durations count as an hour. */
const LONGEST_US = 3_600_000_000

/** Counts durations in constant size. `figures` is the number of significant digits. */
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
    /** Returns milliseconds, or nulls without values. */
    percentiles() {
      const max = histogram.count === 0 ? null : histogram.max / 1_000
      return { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max }
    },
  }
}

export type Percentiles = ReturnType<ReturnType<typeof createDurations>['percentiles']>

export interface Progress {
  readonly atMs: number
  readonly durationMs: number
  readonly interval: Interval
}

interface ProgressPorts extends Stopwatch {
  readonly recorder: Pick<Recorder, 'latest'>
  readonly schedule: Pick<Schedule, 'durationMs'>
  readonly onProgress: ((progress: Progress) => void) | undefined
}

const EACH_MS = 1_000
/** A longer timer would keep the program from ending. */
const POLL_MS = 100

/** Reports progress about once a second. */
export function followProgress({ elapsed, pause, recorder, schedule, onProgress }: ProgressPorts) {
  let isOver = false
  async function follow(tell: (progress: Progress) => void): Promise<void> {
    const startedAt = elapsed()
    let toldAt = startedAt
    for (;;) {
      await pause(POLL_MS)
      if (isOver) return
      if (elapsed() - toldAt < EACH_MS) continue
      toldAt = elapsed()
      const interval = recorder.latest(toldAt - startedAt)
      if (interval) tell({ atMs: toldAt - startedAt, durationMs: schedule.durationMs, interval })
    }
  }
  return {
    start: () => void (onProgress && follow(onProgress)),
    end() {
      isOver = true
    },
  }
}

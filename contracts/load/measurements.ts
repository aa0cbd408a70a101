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

export interface Interval {
  readonly fromMs: number
  readonly toMs: number
  /** The notifications that were due, sent, answered and accepted. */
  readonly offered: number
  readonly sent: number
  readonly answered: number
  readonly accepted: number
  /** The time from due to answered, of the notifications that were due in it. */
  readonly latency: Percentiles
}

export interface Measurements {
  readonly offered: number
  readonly sent: number
  readonly answered: number
  readonly accepted: number
  /** The numbers of each status and each reason without an answer. */
  readonly statuses: Readonly<Record<string, number>>
  readonly reasons: Readonly<Record<string, number>>
  /** The time from due to answered or failed. */
  readonly latency: Percentiles
  /** The time from sent to answered or failed. */
  readonly answerTime: Percentiles
  /** The time from due to ready. */
  readonly lag: Percentiles
  /** The delay of each wake-up of the process. */
  readonly wakeDelay: Percentiles
  readonly intervals: readonly Interval[]
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
      statuses: Object.fromEntries(statuses),
      reasons: Object.fromEntries(reasons),
      latency: latency.percentiles(),
      answerTime: answerTime.percentiles(),
      lag: lag.percentiles(),
      wakeDelay: wakeDelay.percentiles(),
      intervals: intervals.list(),
    }),
  }
}

export type Recorder = ReturnType<typeof createRecorder>

interface OpenInterval {
  offered: number
  sent: number
  answered: number
  accepted: number
  readonly latency: Durations
}

/** As many intervals as a curve can show, and more for late answers. */
function createIntervals(durationMs: number) {
  const lengthMs = INTERVALS_MS.find((each) => durationMs / each <= MOST_INTERVALS) ?? 3_600_000
  const open: OpenInterval[] = []
  const close = ({ latency, ...counts }: OpenInterval, index: number): Interval => ({
    fromMs: index * lengthMs,
    toMs: (index + 1) * lengthMs,
    ...counts,
    latency: latency.percentiles(),
  })
  return {
    at(ms: number): OpenInterval {
      const index = Math.max(0, Math.floor(ms / lengthMs))
      while (open.length <= index) open.push(openInterval())
      return open[index] ?? openInterval()
    },
    latest(nowMs: number): Interval | undefined {
      const index = Math.floor(nowMs / lengthMs) - 1
      const found = open[index]
      return found && close(found, index)
    },
    list: () => open.map(close),
  }
}

function openInterval(): OpenInterval {
  return { offered: 0, sent: 0, answered: 0, accepted: 0, latency: createDurations(2) }
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Milliseconds. Null without values. */
export interface Percentiles {
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
  readonly p999: number | null
  readonly max: number | null
}

/** A histogram of durations with constant size. It uses Node's HDR histogram. */
interface Durations {
  readonly count: number
  add(durationMs: number): void
  percentiles(): Percentiles
}

/** Longer durations count as an hour. */
const LONGEST_US = 3_600_000_000

/** `figures` is the number of significant digits. */
export function createDurations(figures: 2 | 3 = 3): Durations {
  const histogram = createHistogram({ lowest: 1, highest: LONGEST_US, figures })
  const at = (share: number) => (histogram.count === 0 ? null : histogram.percentile(share) / 1_000)
  return {
    get count() {
      return histogram.count
    },
    add(durationMs) {
      histogram.record(Math.min(LONGEST_US, Math.max(1, Math.round(durationMs * 1_000))))
    },
    percentiles() {
      const max = histogram.count === 0 ? null : histogram.max / 1_000
      return { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max }
    },
  }
}

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

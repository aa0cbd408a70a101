import { createHistogram } from 'node:perf_hooks'
import type { Schedule } from './schedule.ts'
import type { Stopwatch } from '../probes/stopwatch.ts'
import { isSuccess } from '../../spec/delivery.ts'

/** What became of one notification; times in milliseconds since the start. */
interface Delivery {
  readonly dueMs: number
  /** When it was ready to be sent: what is between is the sender's. */
  readonly readyMs: number
  readonly sentMs: number
  readonly endedMs: number
  readonly answer: Answer
}

/** The status of an answer, or why there was none, in the words of attempts. */
export type Answer =
  { readonly kind: 'status'; readonly status: number } | { readonly kind: 'reason'; readonly reason: string }

export function isAccepted(answer: Answer): boolean {
  return answer.kind === 'status' && isSuccess(answer.status)
}

/** A part of the time. */
export interface Interval {
  readonly fromMs: number
  readonly toMs: number
  /** How many were due, sent, answered and accepted in it. */
  readonly offered: number
  readonly sent: number
  readonly answered: number
  readonly accepted: number
  /** From the time at which each was due to its answer, of those that were due in it. */
  readonly latency: Percentiles
}

export interface Measurements {
  readonly offered: number
  readonly sent: number
  readonly answered: number
  readonly accepted: number
  /** How many there were of each status, and of each reason for which there was no answer. */
  readonly statuses: Readonly<Record<string, number>>
  readonly reasons: Readonly<Record<string, number>>
  /** From the time at which each was due to its answer, or to where it was given up. */
  readonly latency: Percentiles
  /** The same from when it was sent. */
  readonly answerTime: Percentiles
  /** From the time at which each was due to when it was ready to be sent. */
  readonly lag: Percentiles
  /** How late the process was whenever it had asked to be woken. */
  readonly wakeDelay: Percentiles
  readonly intervals: readonly Interval[]
}

export interface Recorder {
  /** One falls due. */
  offer(dueMs: number): void
  /** One has ended. */
  end(delivery: Delivery): void
  /** The process was woken so late. */
  wake(delayMs: number): void
  result(): Measurements
  /** The last interval that is over at this time, for a line on the way. */
  latest(nowMs: number): Interval | undefined
}

const MOST_INTERVALS = 120
const INTERVALS_MS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000]

export function createRecorder(durationMs: number): Recorder {
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
    offer: (dueMs) => count('offered', dueMs),
    end({ dueMs, readyMs, sentMs, endedMs, answer }) {
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
    wake: (delayMs) => wakeDelay.add(delayMs),
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

interface OpenInterval {
  offered: number
  sent: number
  answered: number
  accepted: number
  readonly latency: Durations
}

/** The parts of the time, as many as a curve has room for, and more where answers come after its end. */
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

/** How long most of them took, in milliseconds; null where there were none. */
export interface Percentiles {
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
  readonly p999: number | null
  readonly max: number | null
}

/** A histogram of durations that takes the same room however many there are: the HDR histogram that Node has. */
interface Durations {
  readonly count: number
  /** Milliseconds. */
  add(durationMs: number): void
  percentiles(): Percentiles
}

/** Beyond an hour all count as an hour. */
const LONGEST_US = 3_600_000_000

/** `figures` are how many digits of a duration are kept: with three they are exact to a thousandth. */
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

/** How far a load has come. */
export interface Progress {
  readonly atMs: number
  readonly durationMs: number
  /** The last part of the time that is over. */
  readonly interval: Interval
}

interface ProgressPorts extends Stopwatch {
  readonly recorder: Pick<Recorder, 'latest'>
  readonly schedule: Pick<Schedule, 'durationMs'>
  readonly onProgress: ((progress: Progress) => void) | undefined
}

const EACH_MS = 1_000
/** A timer that runs longer would keep the program from ending. */
const POLL_MS = 100

/** Tells of it about once a second, from its start until its end. */
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

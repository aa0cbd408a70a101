import type { BookComparison } from './books.ts'
import { headlineOfLoad } from './conclusion.ts'
import type { LoadResult } from './load-result.ts'
import type { Interval, Percentiles } from './measurements.ts'
import { findSenderLimits, type LoadDemands } from './sender-limits.ts'
import { toPrintableJson } from '../../sandbox/internal.ts'

const MOST_DIFFERENCES = 1_000

export function loadJson(result: LoadResult, demands: LoadDemands): string {
  const { kind, sentence, details } = headlineOfLoad(result, demands)
  const { measurements: measured, connections, schedule } = result
  return toPrintableJson(
    {
      conclusion: kind,
      headline: [sentence, ...details].join('. '),
      receiver: result.receiver,
      seed: result.seed,
      started_at: result.startedAt,
      shape: schedule.shape,
      rate: schedule.rate,
      duration_ms: schedule.durationMs,
      content: result.content,
      took_ms: Math.round(result.tookMs),
      offered: measured.offered,
      sent: measured.sent,
      unsent: result.unsent.unmade + result.unsent.unplaced,
      answered: measured.answered,
      accepted: measured.accepted,
      statuses: measured.statuses,
      reasons: measured.reasons,
      latency: toMilliseconds(measured.latency),
      answer_time: toMilliseconds(measured.answerTime),
      sender: {
        lag: toMilliseconds(measured.lag),
        wake_delay: toMilliseconds(measured.wakeDelay),
        unmade: result.unsent.unmade,
        connections: {
          limit: connections.limit,
          peak: connections.peak,
          waits: connections.waits,
          held_waits: connections.heldWaits,
        },
        limits: findSenderLimits(result, demands).map((limit) => ({
          kind: limit.kind,
          text: limit.text,
        })),
      },
      books: toBooks(result.comparison),
      intervals: measured.intervals.map(toInterval),
    },
    2,
  )
}

function toMilliseconds({ p50, p90, p99, p999, max }: Percentiles) {
  return { p50_ms: p50, p90_ms: p90, p99_ms: p99, p99_9_ms: p999, max_ms: max }
}

function toInterval({ fromMs, toMs, latency, offered, sent, answered, accepted }: Interval) {
  const counts = { offered, sent, answered, accepted }
  return { from_ms: fromMs, to_ms: toMs, ...counts, latency: toMilliseconds(latency) }
}

function toBooks(comparison: BookComparison) {
  if (comparison.kind !== 'compared') return null
  const { objects, compared, differences } = comparison
  return {
    objects,
    compared,
    differing: differences.length,
    differences: differences.slice(0, MOST_DIFFERENCES).map(({ entry, effects, difference }) => ({
      object_type: entry.type,
      id: entry.id,
      kind: difference.symptom,
      effects,
      expected: difference.expected,
      actual: difference.actual,
    })),
  }
}

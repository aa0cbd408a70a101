import type { BookComparison, BookDifference } from './books.ts'
import type { LoadResult } from './load-result.ts'
import {
  findSenderLimits,
  isLimitOfConnections,
  isSendersReason,
  type LoadDemands,
  type SenderLimit,
} from './sender-limits.ts'
import { capitalize } from '../report/columns.ts'
import type { Headline } from '../report/headline.ts'
import { formatCount, formatDuration } from '../report/report.ts'

/** The conclusion of a load. It decides the exit code and the first line of every report. */
type LoadConclusion = keyof typeof EXIT_CODES

const EXIT_CODES = {
  unreached: 3,
  failed: 1,
  /** The load was ended early, without a failure. */
  stopped: 3,
  /** The sender could not keep up. The receiver did not fail. */
  'sender-limited': 3,
  'effects-unread': 3,
  /** Nothing failed, but effects were not observed. */
  'effects-unseen': 0,
  passed: 0,
} as const

export function toLoadExitCode(result: LoadResult, demands: LoadDemands): 0 | 1 | 3 {
  return EXIT_CODES[concludeLoad(result, demands)]
}

export function concludeLoad(result: LoadResult, demands: LoadDemands): LoadConclusion {
  if (result.unreached !== null) return 'unreached'
  if (findFailures(result, demands).length > 0) return 'failed'
  if (result.comparison.kind === 'stopped') return 'stopped'
  if (findSenderLimits(result, demands).length > 0) return 'sender-limited'
  if (result.comparison.kind === 'unread') return 'effects-unread'
  return result.comparison.kind === 'not-observable' ? 'effects-unseen' : 'passed'
}

/** Describes the failures of the receiver, without those of the sender. */
export function findFailures(result: LoadResult, demands: LoadDemands): readonly string[] {
  return [
    ...describeRefused(result, demands),
    ...describeHeld(result, demands),
    ...describeDifferences(result.comparison),
    ...describeSlowness(result, demands),
  ]
}

function describeRefused(result: LoadResult, demands: LoadDemands): readonly string[] {
  const { measurements } = result
  const limits = findSenderLimits(result, demands).map(({ kind }) => kind)
  const counts = [
    ...Object.entries(measurements.statuses).filter(([status]) => !/^2\d\d$/.test(status)),
    ...Object.entries(measurements.reasons).filter(([reason]) => !isSendersReason(reason, limits)),
  ].toSorted(([, a], [, b]) => b - a)
  const refused = counts.reduce((sum, [, count]) => sum + count, 0)
  if (refused === 0) return []
  const shown = counts.map(([what, count]) => `${what} (${formatCount(count, 'time')})`).join(', ')
  return [`${refused} of ${measurements.sent} notifications were not accepted: ${shown}`]
}

/**
 * Describes notifications that waited for the receiver until the end. A late process returns connections
 * late, too.
 */
function describeHeld(result: LoadResult, demands: LoadDemands): readonly string[] {
  const { unsent, connections } = result
  if (unsent.unplaced === 0 || isLimitOfConnections(result)) return []
  if (findSenderLimits(result, demands).some((limit) => !isAboutConnections(limit))) return []
  const held =
    connections.heldWaits > 0
      ? `all ${connections.limit} connections waiting`
      : 'earlier notifications of the same objects waiting'
  return [`${unsent.unplaced} notifications were never sent: your receiver kept ${held}`]
}

const DIFFERENCES: { readonly [Symptom in BookDifference['difference']['symptom']]: string } = {
  'missing-effect': 'have no effect, and should have one',
  'repeated-effect': 'have more than one effect',
  'undue-effect': 'have an effect, and should have none',
  amount: 'have an effect of another amount or currency',
  owner: 'have an effect for another user or account',
  'other-state': 'have another state',
}

function describeDifferences(comparison: BookComparison): readonly string[] {
  if (comparison.kind !== 'compared' || comparison.differences.length === 0) return []
  const bySymptom = Map.groupBy(comparison.differences, ({ difference }) => difference.symptom)
  const parts = [...bySymptom].map(([symptom, { length }]) => `${length} ${DIFFERENCES[symptom]}`)
  const { length } = comparison.differences
  return [`${length} of ${comparison.compared} objects differ from the service: ${parts.join('; ')}`]
}

/**
 * Blames the receiver only for latency that the sender cannot cause. The time from sending belongs to the
 * receiver.
 */
function describeSlowness(result: LoadResult, demands: LoadDemands): readonly string[] {
  const { maxP99Ms } = demands
  const { latency, answerTime } = result.measurements
  if (maxP99Ms === undefined) return []
  const limits = findSenderLimits(result, demands)
  const seen = limits.length === 0 ? latency.p99 : limits.every(isAboutConnections) ? answerTime.p99 : null
  if (seen === null || seen <= maxP99Ms) return []
  const since = limits.length === 0 ? 'it was due' : 'it was sent'
  return [
    `one in a hundred took ${formatDuration(seen)} or more from when ${since}; ${formatDuration(maxP99Ms)} was allowed`,
  ]
}

function isAboutConnections({ kind }: SenderLimit): boolean {
  return kind === 'connections'
}

export function headlineOfLoad(result: LoadResult, demands: LoadDemands): Headline<LoadConclusion> {
  const kind = concludeLoad(result, demands)
  return { kind, tone: TONE_BY_KIND[kind], ...describeConclusion(kind, result, demands) }
}

const TONE_BY_KIND: { readonly [Kind in LoadConclusion]: Headline['tone'] } = {
  unreached: 'unknown',
  failed: 'bad',
  stopped: 'unknown',
  'sender-limited': 'unknown',
  'effects-unread': 'unknown',
  'effects-unseen': 'partial',
  passed: 'good',
}

function describeConclusion(
  kind: LoadConclusion,
  result: LoadResult,
  demands: LoadDemands,
): Pick<Headline, 'sentence' | 'details'> {
  const limits = findSenderLimits(result, demands).map(({ text }) => text)
  const load = describeLoad(result)
  switch (kind) {
    case 'unreached': {
      const sentence = 'No verdict: your receiver could not be reached'
      return { sentence, details: [capitalize(result.unreached ?? '')] }
    }
    case 'failed': {
      const beside = limits.length === 0 ? [] : ['The sender was also at its limit', ...limits]
      const failures = findFailures(result, demands).map(capitalize)
      return { sentence: `Your receiver failed at ${load}`, details: [...failures, ...beside] }
    }
    case 'stopped': {
      const [took, whole] = [result.tookMs, result.schedule.durationMs].map(formatDuration)
      const sentence = `Stopped after ${took} of ${whole}: nothing had failed until then`
      return { sentence, details: limits }
    }
    case 'sender-limited': {
      const sentence = `No verdict on ${load}: the sender was the limit, not your receiver`
      return { sentence, details: limits }
    }
    case 'effects-unread': {
      const sentence = `Your receiver accepted ${load}, but its effects could not be read`
      return { sentence, details: unreadDetails(result) }
    }
    case 'effects-unseen': {
      const sentence = `Your receiver accepted ${load}; its effects were not observed`
      return { sentence, details: [SHOW_EFFECTS] }
    }
    case 'passed':
      return { sentence: `Your receiver passed ${load}`, details: [] }
    default:
      return kind satisfies never
  }
}

const SHOW_EFFECTS = 'To compare the effects with the service, set effects in the configuration or --effects'

function unreadDetails({ comparison }: LoadResult): readonly string[] {
  return comparison.kind === 'unread' ? [comparison.why] : []
}

/** Returns a text such as `2000 notifications a second for 60 s`. */
function describeLoad({ schedule: { shape, rate, durationMs } }: Pick<LoadResult, 'schedule'>): string {
  const most = shape === 'steady' ? '' : 'up to '
  return `${most}${rate} notifications a second for ${formatDuration(durationMs)}`
}

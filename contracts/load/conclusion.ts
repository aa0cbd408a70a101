import type { BookComparison, BookDifference } from './books.ts'
import type { ConnectionUse } from './connection-places.ts'
import type { Measurements } from './measurements.ts'
import type { ScheduleOptions } from './schedule.ts'
import { formatCount, formatMeasuredTime } from '../report/report.ts'
import type { Ending } from '../run/exit-code.ts'
import { startSentence } from '../../sandbox/internal.ts'

export interface LoadResult {
  /** The URL of the receiver, with its secrets masked. */
  readonly receiver: string
  readonly serviceUrl: string
  readonly seed: number
  readonly startedAt: string
  readonly schedule: ScheduleOptions
  /** The content of the load, such as `items=3, card-payin=2`. */
  readonly content: string
  /** The time from the start of the load until the last answer, in milliseconds. */
  readonly tookMs: number
  /** The reason why the receiver could not be reached. Null if the receiver was reached. */
  readonly unreached: string | null
  readonly measurements: Measurements
  readonly connections: ConnectionUse
  readonly comparison: BookComparison
}

export interface LoadDemands {
  readonly maxP99Ms: number | undefined
}

/** The exit code and the colour of each conclusion. */
const CONCLUSIONS = {
  unreached: [3, 'unknown'],
  failed: [1, 'bad'],
  /** The user stopped the load early, and nothing had failed. */
  stopped: [3, 'unknown'],
  /** The sender of the load was too slow to judge the receiver, and the receiver did not fail. */
  'sender-limited': [3, 'unknown'],
  'effects-unread': [3, 'unknown'],
  /** Nothing failed, but effects were not observed. */
  'effects-unseen': [0, 'partial'],
  passed: [0, 'good'],
} as const satisfies Readonly<Record<string, Ending<0 | 1 | 3>>>

/** Returns the exit code and the first line of every load report. */
export function concludeLoad(result: LoadResult, demands: LoadDemands) {
  const limits = findSenderLimits(result, demands)
  const failures = [
    ...describeRefused(result, limits),
    ...describeHeld(result, limits),
    ...describeDifferences(result.comparison),
    ...describeSlowness(result, demands, limits),
  ]
  const texts = limits.map(({ text }) => text)
  const [kind, sentence, details] = describeConclusion(result, failures, texts)
  const [exitCode, tone] = CONCLUSIONS[kind]
  return { kind, exitCode, tone, sentence, details, failures, limits }
}

function describeConclusion(
  { unreached, tookMs, schedule, comparison }: LoadResult,
  failures: readonly string[],
  limits: readonly string[],
): readonly [kind: keyof typeof CONCLUSIONS, sentence: string, details: readonly string[]] {
  const most = schedule.shape === 'steady' ? '' : 'up to '
  const duration = formatMeasuredTime(schedule.durationMs)
  const load = `${most}${schedule.rate} notifications a second for ${duration}`
  if (unreached !== null)
    return ['unreached', 'No verdict: your receiver could not be reached', [startSentence(unreached)]]
  if (failures.length > 0) {
    const more = limits.length === 0 ? [] : ['The sender was also at its limit', ...limits]
    return ['failed', `Your receiver failed at ${load}`, [...failures.map(startSentence), ...more]]
  }
  if (comparison.kind === 'stopped') {
    const sentence = `You stopped the load after ${formatMeasuredTime(tookMs)} of ${duration}, with no failure until then`
    return ['stopped', sentence, limits]
  }
  if (limits.length > 0)
    return [
      'sender-limited',
      `No verdict on ${load}: the sender was the bottleneck, not your receiver`,
      limits,
    ]
  const accepted = `Your receiver accepted ${load}, but its effects`
  if (comparison.kind === 'unread')
    return ['effects-unread', `${accepted} could not be read`, [comparison.why]]
  if (comparison.kind === 'not-observable')
    return ['effects-unseen', `${accepted} were not observed`, [SHOW_EFFECTS]]
  return ['passed', `Your receiver passed ${load}`, []]
}

const SHOW_EFFECTS =
  'To compare the effects with the service, set "effects" in the configuration, or pass --effects'

interface SenderLimit {
  readonly kind: 'schedule' | 'event-loop' | 'connections' | 'resources'
  readonly text: string
}

/** The minimum sender delay, in milliseconds, that distorts the latency. If `maxP99Ms` is set, the limit can be lower. */
const LATE_MS = 50
const MIN_LATE_MS = 5
/** The maximum share of notifications that wait for a connection. If more notifications wait, the load has too few connections. */
const MAX_WAITING = 0.01

function findSenderLimits(result: LoadResult, { maxP99Ms }: LoadDemands): readonly SenderLimit[] {
  const { measurements, connections } = result
  const { lag, wakeDelay, sent, unsent, reasons } = measurements
  const lateMs = maxP99Ms === undefined ? LATE_MS : Math.max(MIN_LATE_MS, Math.min(LATE_MS, maxP99Ms / 4))
  const failed = reasons['out_of_resources'] ?? 0
  const limits: SenderLimit[] = []
  const check = (kind: SenderLimit['kind'], isReached: boolean, text: string) =>
    void (isReached && limits.push({ kind, text }))
  check(
    'event-loop',
    (wakeDelay.p99 ?? 0) > lateMs,
    `In 1 of 100 cases, the sender process woke up ${formatMeasuredTime(wakeDelay.p99)} late, because the machine is too busy`,
  )
  check(
    'schedule',
    (lag.p99 ?? 0) > lateMs,
    `1 of 100 notifications was ready only ${formatMeasuredTime(lag.p99)} after its due time. Lower --rate, send simpler notifications (--mix), or stop other programs on this machine`,
  )
  check(
    'schedule',
    unsent.unmade > 0,
    `The sender did not send ${unsent.unmade} notifications, because they were not ready in time`,
  )
  // If nothing was sent, the result says nothing about the receiver.
  check('schedule', sent + unsent.unmade + unsent.unplaced === 0, 'The sender sent no notification')
  check(
    'connections',
    isLimitOfConnections(result),
    `The sender did not send ${unsent.unplaced} notifications, because no connection was free in time`,
  )
  check(
    'connections',
    connections.waits > MAX_WAITING * sent,
    `${connections.waits} notifications waited because all ${connections.limit} connections were in use. Raise --connections`,
  )
  check(
    'resources',
    failed > 0,
    `The sender could not send ${failed} notifications, because the operating system allowed no more connections. Raise the limit of open files, or lower --connections`,
  )
  return limits
}

/** Returns true if notifications were not sent because no connection was free, although the receiver answered in time. */
function isLimitOfConnections({ connections, measurements: { unsent } }: LoadResult): boolean {
  return unsent.unplaced > 0 && connections.heldWaits === 0 && connections.waits > 0
}

/** The sender's own reasons for a missing response. */
const OWN_REASONS: ReadonlySet<string> = new Set(['out_of_resources', 'interrupted'])
const TIMEOUTS: ReadonlySet<string> = new Set([
  'connect_timeout',
  'tls_timeout',
  'send_timeout',
  'header_timeout',
])

function describeRefused({ measurements }: LoadResult, limits: readonly SenderLimit[]): readonly string[] {
  // A sender that runs late also reads answers late, so the receiver may not have caused the timeout.
  const isLate = limits.some(({ kind }) => kind === 'event-loop' || kind === 'schedule')
  const isOwn = (reason: string) => OWN_REASONS.has(reason) || (isLate && TIMEOUTS.has(reason))
  const counts = [
    ...Object.entries(measurements.statuses).filter(([status]) => !/^2\d\d$/.test(status)),
    ...Object.entries(measurements.reasons).filter(([reason]) => !isOwn(reason)),
  ].toSorted(([, a], [, b]) => b - a)
  const refused = counts.reduce((sum, [, count]) => sum + count, 0)
  if (refused === 0) return []
  const shown = counts.map(([what, count]) => `${what} (${formatCount(count, 'time')})`).join(', ')
  return [`your receiver did not accept ${refused} of ${measurements.sent} notifications: ${shown}`]
}

/** Describes notifications that the receiver delayed. Returns no text if the sender itself was late. */
function describeHeld(result: LoadResult, limits: readonly SenderLimit[]): readonly string[] {
  const { measurements, connections } = result
  const { unplaced } = measurements.unsent
  if (unplaced === 0 || isLimitOfConnections(result)) return []
  if (limits.some((limit) => !isAboutConnections(limit))) return []
  const held =
    connections.heldWaits > 0
      ? `all ${connections.limit} connections in use`
      : 'earlier notifications of the same objects in flight'
  return [`the sender did not send ${unplaced} notifications, because your receiver kept ${held}`]
}

const DIFFERENCES: { readonly [Symptom in BookDifference['difference']['symptom']]: string } = {
  'missing-effect': 'have no effect, but should have one',
  'repeated-effect': 'have more than one effect',
  'undue-effect': 'have an effect, but should have none',
  amount: 'have an effect with a wrong amount or currency',
  owner: 'have an effect for a wrong user or account',
  'other-state': 'have a wrong state',
}

function describeDifferences(comparison: BookComparison): readonly string[] {
  if (comparison.kind !== 'compared' || comparison.differences.length === 0) return []
  const bySymptom = Map.groupBy(comparison.differences, ({ difference }) => difference.symptom)
  const parts = [...bySymptom].map(([symptom, { length }]) => `${length} ${DIFFERENCES[symptom]}`)
  const { length } = comparison.differences
  return [`${length} of ${comparison.compared} objects differ from the service: ${parts.join(', ')}`]
}

/** Reports high latency only if the sender cannot be the cause. */
function describeSlowness(
  { measurements: { latency, answerTime } }: LoadResult,
  { maxP99Ms }: LoadDemands,
  limits: readonly SenderLimit[],
): readonly string[] {
  if (maxP99Ms === undefined) return []
  const seen = limits.length === 0 ? latency.p99 : limits.every(isAboutConnections) ? answerTime.p99 : null
  if (seen === null || seen <= maxP99Ms) return []
  const since = limits.length === 0 ? 'due' : 'send'
  return [
    `the 99th percentile of the latency from the ${since} time was ${formatMeasuredTime(seen)}, more than the allowed ${formatMeasuredTime(maxP99Ms)}`,
  ]
}

function isAboutConnections({ kind }: SenderLimit): boolean {
  return kind === 'connections'
}

import type { LoadResult } from './load-result.ts'
import { formatDuration } from '../report/report.ts'

/** The conditions for a load besides those of the service. */
export interface LoadDemands {
  /** The maximum 99th percentile in milliseconds. */
  readonly maxP99Ms: number | undefined
}

/** A failure of the load itself. The receiver may have kept up. */
export interface SenderLimit {
  readonly kind: 'schedule' | 'event-loop' | 'connections' | 'resources'
  /** The observation and the remedy. */
  readonly text: string
}

/** A later sender distorts the latency. With a requested latency, the limit is a quarter of it. */
const LATE_MS = 50
const LEAST_LATE_MS = 5
/** The share of waits for a connection that makes the limit too low. */
const MOST_WAITING = 0.01

export function findSenderLimits(result: LoadResult, { maxP99Ms }: LoadDemands): readonly SenderLimit[] {
  const { measurements, connections, unsent } = result
  const { lag, wakeDelay, sent, reasons } = measurements
  const lateMs = maxP99Ms === undefined ? LATE_MS : Math.max(LEAST_LATE_MS, Math.min(LATE_MS, maxP99Ms / 4))
  const limits: SenderLimit[] = []
  const add = (kind: SenderLimit['kind'], text: string) => limits.push({ kind, text })
  if ((wakeDelay.p99 ?? 0) > lateMs) {
    const late = formatDuration(wakeDelay.p99)
    add(
      'event-loop',
      `This process was woken ${late} late, one time in a hundred, because the machine is too busy`,
    )
  }
  if ((lag.p99 ?? 0) > lateMs) {
    const late = formatDuration(lag.p99)
    add(
      'schedule',
      `One notification in a hundred was ready only ${late} after it was due. Lower --rate, send simpler notifications (--mix), or stop other programs on this machine`,
    )
  }
  if (unsent.unmade > 0)
    add('schedule', `${unsent.unmade} notifications were never sent, because they were not ready in time`)
  // Without a sent notification, nothing is known about the receiver.
  if (sent === 0 && unsent.unmade + unsent.unplaced === 0) add('schedule', 'No notification was sent')
  if (isLimitOfConnections(result)) {
    const what = `${unsent.unplaced} notifications were never sent`
    add('connections', `${what}: no connection was free for them in time`)
  }
  if (connections.waits > MOST_WAITING * sent) {
    add(
      'connections',
      `${connections.waits} notifications waited because all ${connections.limit} connections were in use. Raise --connections`,
    )
  }
  const failed = reasons['out_of_resources'] ?? 0
  if (failed > 0) {
    add(
      'resources',
      `${failed} notifications could not be sent, because the system gave no more connections. Raise the limit of open files, or lower --connections`,
    )
  }
  return limits
}

/** Returns true if unsent notifications lacked a connection although the receiver answered in time. */
export function isLimitOfConnections({ connections, unsent }: LoadResult): boolean {
  return unsent.unplaced > 0 && connections.heldWaits === 0 && connections.waits > 0
}

/** Reasons without an answer that a sender can cause. */
const OWN_REASONS: ReadonlySet<string> = new Set(['out_of_resources', 'interrupted'])
const TIMEOUTS: ReadonlySet<string> = new Set([
  'connect_timeout',
  'tls_timeout',
  'send_timeout',
  'header_timeout',
])

/** Returns true if a failure says nothing about the receiver. A late process sees late answers. */
export function isSendersReason(reason: string, limits: readonly SenderLimit['kind'][]): boolean {
  if (OWN_REASONS.has(reason)) return true
  return TIMEOUTS.has(reason) && (limits.includes('event-loop') || limits.includes('schedule'))
}

import type { ReadingValues } from '../../../spec/readings.ts'

/** The last instant that a timestamp of the service can name. Source: §2.3 */
export const LATEST_TIMESTAMP = Date.parse('9999-12-31T23:59:59.999Z')

/** Where a clock stops: what falls due later than it shows, such as a retry, can be named still. Ours. */
export const LATEST_NOW = Date.parse('9998-12-31T23:59:59.999Z')

let printed = { time: 0, text: new Date(0).toISOString() }

/** Sandbox time as bodies and records print it. Source: §2.3 */
export function timestamp(time: number): string {
  // What happens in one millisecond asks for it several times: the last one is kept.
  if (time !== printed.time) printed = { time, text: new Date(time).toISOString() }
  return printed.text
}

/** Sandbox time as webhooks and their jobs print it. Reading: record-timestamps */
export function recordTimestamp(time: number, readings: Pick<ReadingValues, 'record-timestamps'>): string {
  const text = timestamp(time)
  return readings['record-timestamps'] === 'nanoseconds' ? text.replace('Z', '000000Z') : text
}

/** An instant as a user writes it; undefined for one that no calendar has. */
export function parseTimestamp(text: string): number | undefined {
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.exec(text) ?? []
  // A day that its month does not have, such as 30 February, would be taken for one of the next month.
  const isDay = new Date(Date.parse(`${day}T00:00:00Z`) || 0).toISOString().startsWith(day)
  const time = day !== '' && isDay ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

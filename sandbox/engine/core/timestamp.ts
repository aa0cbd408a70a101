import type { ReadingValues } from '../../../spec/readings.ts'

/** The latest valid timestamp of the service. Source: §2.3 */
export const LATEST_TIMESTAMP = Date.parse('9999-12-31T23:59:59.999Z')

/** The latest time of the clock. Due times after this time still have a valid timestamp. Hookbench chose this value. */
export const LATEST_NOW = Date.parse('9998-12-31T23:59:59.999Z')

let printed = { time: 0, text: new Date(0).toISOString() }

/** Formats sandbox time for bodies and records. Source: §2.3 */
export function timestamp(time: number): string {
  // Caches the last text, because consecutive timestamps are often equal.
  if (time !== printed.time) printed = { time, text: new Date(time).toISOString() }
  return printed.text
}

/** Formats sandbox time for webhooks and their jobs. Reading: record-timestamps */
export function recordTimestamp(time: number, readings: Pick<ReadingValues, 'record-timestamps'>): string {
  const text = timestamp(time)
  return readings['record-timestamps'] === 'nanoseconds' ? text.replace('Z', '000000Z') : text
}

/** Parses a timestamp. Returns undefined for a date that does not exist. */
export function parseTimestamp(text: string): number | undefined {
  const [, day = ''] = /^(\d{4}-\d{2}-\d{2})T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/.exec(text) ?? []
  // Checks the day, because Date.parse() would convert 30 February into a day in March.
  const isDay = new Date(Date.parse(`${day}T00:00:00Z`) || 0).toISOString().startsWith(day)
  const time = day !== '' && isDay ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

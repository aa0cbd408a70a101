import { DELIVERY } from './generated/delivery.ts'
import type { ReadingValues } from './readings.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** When retries are due, in milliseconds after the end of the first attempt. Source: §8. Reading: retry-window */
export function retryOffsetsMs(window: ReadingValues['retry-window']): readonly number[] {
  const offsetsMs = DELIVERY.retry.offsets_minutes.value.map((minutes) => minutes * MINUTE_MS)
  const windowMs = DELIVERY.retry.window_hours.value * HOUR_MS
  return window === '24h' ? offsetsMs.filter((offsetMs) => offsetMs <= windowMs) : offsetsMs
}

/** Whether an answer with this status is a successful delivery. Reading: delivery-success */
export function isSuccess(status: number): boolean {
  const [lowest, highest] = DELIVERY.success.statuses.value
  return status >= lowest && status <= highest
}

import { DELIVERY } from './generated/delivery.ts'
import type { CallbackObjectType } from './generated/service-types.ts'
import type { ReadingValues } from './readings.ts'

/** The two generations of notifications. Source: §1 */
export type Generation = keyof typeof DELIVERY.object_types

export const GENERATIONS = ['webhooks', 'callbacks'] as const satisfies readonly Generation[]

export const GENERATION_NOUNS = { webhooks: 'webhook', callbacks: 'callback' } as const

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

type RetryReadings = Pick<ReadingValues, 'callback-retry' | 'retry-window'>

/**
 * Returns the time of each retry, in milliseconds after the end of the first attempt. Source: §1, §8. Readings: retry-window,
 * callback-retry
 */
export function retryOffsetsMs(generation: Generation, readings: RetryReadings): readonly number[] {
  const { generations, offsets_minutes, window_hours } = DELIVERY.retry
  const retried: readonly Generation[] =
    readings['callback-retry'] === 'as-webhooks' ? [...generations.value, 'callbacks'] : generations.value
  if (!retried.includes(generation)) return []
  const offsetsMs = offsets_minutes.value.map((minutes) => minutes * MINUTE_MS)
  const windowMs = window_hours.value * HOUR_MS
  return readings['retry-window'] === '24h' ? offsetsMs.filter((offsetMs) => offsetMs <= windowMs) : offsetsMs
}

/** Source: §2.2. Reading: callback-list */
export function callbackTypes(list: ReadingValues['callback-list']): readonly CallbackObjectType[] {
  return list === 'earlier'
    ? DELIVERY.earlier_callbacks.object_types.value
    : DELIVERY.object_types.callbacks.value
}

/** All object types for which a URL can be registered, in any generation and with any reading. Source: §2.2 */
export const deliveredTypes: readonly string[] = [
  ...new Set([
    ...DELIVERY.object_types.webhooks.value,
    ...DELIVERY.object_types.callbacks.value,
    ...DELIVERY.earlier_callbacks.object_types.value,
  ]),
]

/** Reading: delivery-success */
export function isSuccess(status: number): boolean {
  const [lowest, highest] = DELIVERY.success.statuses.value
  return status >= lowest && status <= highest
}

/** Returns the addresses from which the service sends deliveries. Source: §5. Readings: environment, callback-list */
export function sendingAddresses(generation: Generation, readings: ReadingValues): readonly string[] {
  if (generation === 'callbacks' && readings['callback-list'] === 'earlier') {
    return DELIVERY.earlier_callbacks.sending_addresses.value
  }
  return DELIVERY.sending_addresses[readings.environment][generation].value
}

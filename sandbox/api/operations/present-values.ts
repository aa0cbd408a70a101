import { callbackTypes } from '../../../spec/delivery.ts'
import type { OperationId } from '../../../spec/generated/service-operations.ts'
import type { ReadingValues } from '../../../spec/readings.ts'

/** The accepted values of fields that accept fewer values than the spec lists, by field. */
export type PresentValues = Readonly<Record<string, readonly string[]>>

const ALL: PresentValues = {}

const REGISTERS_CALLBACK: ReadonlySet<string> = new Set<OperationId>(['createCallback', 'updateCallback'])

/** Returns the values under the present readings. Source: §2.2. Reading: callback-list */
export function presentValues(operation: string, readings: ReadingValues): PresentValues {
  return REGISTERS_CALLBACK.has(operation) ? { object_type: callbackTypes(readings['callback-list']) } : ALL
}

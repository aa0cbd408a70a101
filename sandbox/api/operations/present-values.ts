import { callbackTypes } from '../../../spec/delivery.ts'
import type { OperationId } from '../../../spec/generated/service-operations.ts'
import type { ReadingValues } from '../../../spec/readings.ts'

/** The accepted values by field, for fields that currently accept fewer values than the spec lists. */
export type PresentValues = Readonly<Record<string, readonly string[]>>

const ALL: PresentValues = {}

const REGISTERS_CALLBACK: ReadonlySet<string> = new Set<OperationId>(['createCallback', 'updateCallback'])

/** Returns the values that the current readings accept. Source: §2.2. Reading: callback-list */
export function presentValues(operation: string, readings: ReadingValues): PresentValues {
  return REGISTERS_CALLBACK.has(operation) ? { object_type: callbackTypes(readings['callback-list']) } : ALL
}

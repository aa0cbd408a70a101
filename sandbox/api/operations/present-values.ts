import { callbackTypes } from '../../../spec/delivery.ts'
import type { OperationId } from '../../../spec/generated/service-operations.ts'
import type { ReadingValues } from '../../../spec/readings.ts'

/** The values of fields that take fewer of them at present than the spec lists, by the names of the fields. */
export type PresentValues = Readonly<Record<string, readonly string[]>>

const ALL: PresentValues = {}

const REGISTERS_CALLBACK: ReadonlySet<string> = new Set<OperationId>(['createCallback', 'updateCallback'])

/** What fields of an operation take as the readings are now. Source: §2.2. Reading: callback-list */
export function presentValues(operation: string, readings: ReadingValues): PresentValues {
  return REGISTERS_CALLBACK.has(operation) ? { object_type: callbackTypes(readings['callback-list']) } : ALL
}

import { Buffer } from 'node:buffer'

/** The `Uint8Array` that Node's buffers extend. A test environment may replace the global `Uint8Array`. */
export const Uint8Array: Uint8ArrayConstructor = Object.getPrototypeOf(Buffer)

/** Copies plain data into objects of this realm. Node's `structuredClone` creates objects of the outer realm. */
export function structuredClone<Value>(value: Value): Value
export function structuredClone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => structuredClone(each))
  if (!isPlain(value)) return globalThis.structuredClone(value)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, structuredClone(child)]))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

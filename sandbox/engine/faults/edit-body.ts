import type { FaultSettings } from '../state/entries.ts'

/** Applies a fault's changes to JSON text, or replaces the complete text. A replacement of type string is sent unchanged. */
export function editBody(text: string, { set, body }: FaultSettings): string {
  if (typeof body === 'string') return body
  const whole: unknown = body === undefined ? JSON.parse(text) : body
  return JSON.stringify(set ? setByPointer(whole, set) : whole)
}

/** Returns true for a JSON pointer (RFC 6901) to a value below the root. */
export function isPointer(text: string): boolean {
  return /^(\/([^~/]|~[01])*)+$/.test(text)
}

/** Returns a copy with new values at the given JSON pointers. Ignores a pointer whose parent does not exist. */
function setByPointer(value: unknown, set: Readonly<Record<string, unknown>>): unknown {
  const copy: unknown = structuredClone(value)
  for (const [pointer, replacement] of Object.entries(set)) {
    const keys = pointer.split('/').slice(1).map(unescapeKey)
    const last = keys.pop() ?? ''
    const parent = keys.reduce<unknown>(
      (node, key) => (isObject(node) && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined),
      copy,
    )
    if (isObject(parent)) {
      Object.defineProperty(parent, last, {
        value: replacement,
        enumerable: true,
        writable: true,
        configurable: true,
      })
    }
  }
  return copy
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

import type { FaultSettings } from '../state/fault.ts'

/** JSON text with what a fault sets in it, or the whole text that it has instead. A body that is text is sent as it stands. */
export function editBody(text: string, { set, body }: FaultSettings): string {
  if (typeof body === 'string') return body
  const whole: unknown = body === undefined ? JSON.parse(text) : body
  return JSON.stringify(set ? setByPointer(whole, set) : whole)
}

/** Whether it is a JSON pointer to something within a value (RFC 6901). */
export function isPointer(text: string): boolean {
  return /^(\/([^~/]|~[01])*)+$/.test(text)
}

/** A copy of the value with these set, by JSON pointer; what has no parent to stand in is left out. */
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

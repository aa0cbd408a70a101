import type { NotifiedType } from '../../spec/types.ts'

/** The types that there is an address for. Source: §2.2 */
const TYPES: readonly string[] = [
  'items',
  'users',
  'batch_transactions',
  'accounts',
  'transactions',
  'disbursements',
  'companies',
  'virtual_accounts',
] satisfies readonly NotifiedType[]

export function isNotifiedType(type: string): type is NotifiedType {
  return TYPES.includes(type)
}

/** The two generations of the service's notifications, as the receiver's addresses name them. */
export type Generation = 'webhooks' | 'callbacks'

/** One of the receiver's addresses: they differ by type and generation. */
export interface Route {
  readonly generation: Generation
  readonly type: NotifiedType
}

/** All that is taken from a delivery: which object to look at. Whatever else its body says may be old, or a lie. */
export interface Notification {
  readonly type: NotifiedType
  /** As the body has it; an integer becomes its digits. */
  readonly id: string
  readonly generation: Generation
  /** Kept to show what was received, never to decide by. */
  readonly body: string
}

/** What a body means at the address of one type. */
export type BodyMeaning =
  | { readonly kind: 'test' }
  | { readonly kind: 'notification'; readonly id: string }
  /** JSON, but nothing that concerns this address. */
  | { readonly kind: 'foreign' }

/**
 * Says what a body is, with room for everything that the service may add one day: of the whole body only the wrapper and the
 * id must be there. Source: §1, §2.3, §6.3
 */
export function interpretBody(body: unknown, type: NotifiedType): BodyMeaning {
  const id = readId(findObject(body, type))
  if (id !== undefined) return { kind: 'notification', id }
  return isTestBody(body) ? { kind: 'test' } : { kind: 'foreign' }
}

/** The object of this type in a body, in a wrapper of its name or flat. Source: §2.3, §6.3 */
export function findObject(body: unknown, type: NotifiedType): object | undefined {
  if (!isRecord(body)) return undefined
  if (type === 'virtual_accounts' && !Object.hasOwn(body, type)) {
    return readField(body, 'name') === type ? body : undefined
  }
  const wrapped = readField(body, type)
  return isRecord(wrapped) ? wrapped : undefined
}

/** One text under `message`, whatever it says. Source: §1 */
function isTestBody(body: unknown): boolean {
  return isRecord(body) && !Object.keys(body).some(isNotifiedType) && isString(readField(body, 'message'))
}

/** A text, or an integer as its digits; undefined if it is neither. Source: §2.3 */
export function readId(object: object | undefined): string | undefined {
  const id = object && readField(object, 'id')
  // A store would read half a character back as another id.
  if (isString(id) && id !== '' && id.isWellFormed()) return id
  return Number.isSafeInteger(id) ? String(id) : undefined
}

/** An own field: a body may have keys that every object inherits. */
export function readField(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

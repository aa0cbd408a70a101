/** How a store knows the objects of one type. */
export interface ModelRow {
  readonly schema: string
  /** The fields that identify an object, the one that a store keeps it by first; a kind may lack the first. */
  readonly ids: readonly string[]
  /** The field with its state; null if its body shows none. */
  readonly state: string | null
}

/** What is known of one notified type. */
export interface NotificationRow {
  /** The schema of the whole body, and of the object in it or behind it. */
  readonly schema: string
  readonly object: string
  /** Whether the object stands under its type; a flat body only names it. Source: §2.3, §6.3 */
  readonly wrapped: boolean
  /** What a flat body says of itself; nothing if it is wrapped. Source: §6.3 */
  readonly constants: Readonly<Record<string, string>>
  /** The operation that shows the object. */
  readonly show: string
  readonly summary: string
  readonly trigger: string
  readonly source: string
  /** The kinds of a union, each told by constants and by fields that are null in it; none if the object is of one kind. */
  readonly kinds: readonly KindRow[]
}

/** One kind of a union. */
export interface KindRow {
  readonly schema: string
  readonly constants: Readonly<Record<string, string>>
  readonly nulls: readonly string[]
  readonly states: readonly string[]
}

/** What `x-errors` of an operation may say: the family of its refusals. What the control API refuses is of one family. */
export const ERROR_FAMILIES = ['tokens', 'webhooks', 'objects', 'control'] as const

export type ErrorFamily = (typeof ERROR_FAMILIES)[number]

/** One operation of a generated operation table. */
export interface OperationRow {
  readonly id: string
  readonly method: string
  /** With `{name}` for each parameter. */
  readonly path: string
  readonly summary: string
  /** It may take longer than a client usually waits, minutes even. */
  readonly slow: boolean
  /** The ways to authenticate, any of which will do; empty for an open operation. */
  readonly auth: readonly string[]
  /** The family of its refusals, which decides how they look. */
  readonly errors: ErrorFamily
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, QueryField>>
  /** The request headers that it heeds, in small letters. */
  readonly headers: readonly string[]
  readonly body: RequestBody | null
  /** The name of the schema of each reply, by status. */
  readonly responses: Readonly<Record<string, string>>
}

export interface QueryField {
  readonly type: 'string' | 'integer'
  readonly values: readonly unknown[] | null
  readonly minimum: number | null
  readonly maximum: number | null
  readonly fallback: unknown
}

export interface RequestBody {
  readonly schema: string
  /** Whether form and query input is accepted beside JSON. */
  readonly form: boolean
  /** The most bytes of JSON. */
  readonly limit: number
  /** What to do if the body is refused, where its problems alone do not say it. */
  readonly remedy?: string
  /** JSON type by field name. */
  readonly fields: Readonly<Record<string, string>>
}

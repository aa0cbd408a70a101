export interface ModelRow {
  readonly schema: string
  /** The id fields, the store's id first. A kind can lack the first. */
  readonly ids: readonly string[]
  /** The state field. Null if the body shows no state. */
  readonly state: string | null
}

export interface NotificationRow {
  /** The schema of the whole body, and of its object. */
  readonly schema: string
  readonly object: string
  /** True if the object is under its type. A flat body only names the object. Source: §2.3, §6.3 */
  readonly wrapped: boolean
  /** The constants of a flat body. Empty if it is wrapped. Source: §6.3 */
  readonly constants: Readonly<Record<string, string>>
  readonly show: string
  readonly summary: string
  readonly trigger: string
  readonly source: string
  /** The kinds of a union. Empty for an object of one kind. */
  readonly kinds: readonly KindRow[]
}

export interface KindRow {
  readonly schema: string
  readonly constants: Readonly<Record<string, string>>
  readonly nulls: readonly string[]
  readonly states: readonly string[]
}

/** The values of `x-errors`. The control API has one family. */
export const ERROR_FAMILIES = ['tokens', 'webhooks', 'objects', 'control'] as const

export type ErrorFamily = (typeof ERROR_FAMILIES)[number]

export interface OperationRow {
  readonly id: string
  readonly method: string
  /** With `{name}` for each parameter. */
  readonly path: string
  readonly summary: string
  /** True if it can take minutes. */
  readonly slow: boolean
  /** The accepted ways to authenticate. Empty for an open operation. */
  readonly auth: readonly string[]
  /** Decides the form of its refusals. */
  readonly errors: ErrorFamily
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, QueryField>>
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
  /** True if it also accepts form and query input. */
  readonly form: boolean
  readonly limit: number
  /** The remedy for a refused body, if its problems do not name one. */
  readonly remedy?: string
  /** JSON type by field name. */
  readonly fields: Readonly<Record<string, string>>
}

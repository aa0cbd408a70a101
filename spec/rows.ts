export interface ModelRow {
  readonly schema: string
  /** The id fields. The store uses the first field as the id. Some kinds of objects do not have the first field. */
  readonly ids: readonly string[]
  /** The field that contains the state. Null if the body contains no state. */
  readonly state: string | null
}

export interface NotificationRow {
  /** The schema names of the complete body and of its object. */
  readonly schema: string
  readonly object: string
  /** True if the body wraps the object in a key named after the object type. Source: §2.3, §6.3 */
  readonly wrapped: boolean
  /** The constants that identify a body without a wrapper. Empty for a body with a wrapper. Source: §6.3 */
  readonly constants: Readonly<Record<string, string>>
  readonly show: string
  readonly summary: string
  readonly trigger: string
  readonly source: string
  /** The kinds of objects of this type. Empty if all objects have the same kind. */
  readonly kinds: readonly KindRow[]
}

export interface KindRow {
  readonly schema: string
  readonly constants: Readonly<Record<string, string>>
  readonly nulls: readonly string[]
  readonly states: readonly string[]
}

/** The formats of error responses, which are the values of `x-errors` in the spec. Control API errors use `control`. */
export const ERROR_FAMILIES = ['tokens', 'webhooks', 'objects', 'control'] as const

export type ErrorFamily = (typeof ERROR_FAMILIES)[number]

export interface OperationRow {
  readonly id: string
  readonly method: string
  /** The path of the operation, with `{name}` for each parameter. */
  readonly path: string
  readonly summary: string
  /** True if the operation can take minutes. */
  readonly slow: boolean
  /** The accepted ways to authenticate. Empty for an operation that needs no authentication. */
  readonly auth: readonly string[]
  readonly errors: ErrorFamily
  readonly params: readonly string[]
  readonly query: Readonly<Record<string, QueryField>>
  readonly headers: readonly string[]
  readonly body: RequestBody | null
  /** The schema name of each response, by status. */
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
  /** True if the operation also accepts form and query input. */
  readonly form: boolean
  readonly limit: number
  /** The fix for a rejected body. Present only if the errors do not already contain the fix. */
  readonly remedy?: string
  /** The JSON type of each field, by field name. */
  readonly fields: Readonly<Record<string, string>>
}

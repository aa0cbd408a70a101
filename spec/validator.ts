/** A problem that a validator found, as ajv words it. */
export interface ValidationError {
  /** JSON pointer of the offending value; empty for the whole. */
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

/** Tells whether `data` fits; afterwards `errors` says why not, until the next call. */
export interface Validator<Type> {
  (data: unknown): data is Type
  readonly errors?: readonly ValidationError[] | null
  /** Everything that is wrong with it, up to a thousand errors; empty if it fits. */
  readonly findAll: (data: unknown) => readonly ValidationError[]
}

export type Validators<Schemas> = { readonly [Name in keyof Schemas]: Validator<Schemas[Name]> }

/** The part of JSON Schema 2020-12 that is checked; a `$ref` ends with the name of another schema. */
export interface CheckedSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly properties?: Readonly<Record<string, CheckedSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | CheckedSchema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly items?: CheckedSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly allOf?: readonly CheckedSchema[]
  readonly anyOf?: readonly CheckedSchema[]
  readonly oneOf?: readonly CheckedSchema[]
  /** Which of `oneOf` it is, by a property that each of them has as a constant. */
  readonly discriminator?: { readonly propertyName: string }
  readonly not?: CheckedSchema
  /** What values have to be that follow from fields of the same object; see there. */
  readonly 'x-derived'?: Readonly<Record<string, string>>
}

/** A validation error, with the same message as in ajv. */
export interface ValidationError {
  /** The JSON pointer of the invalid value. Empty if `data` itself is invalid. */
  readonly instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

/** Returns true if `data` is valid. Until the next call, `errors` contains the validation errors. */
export interface Validator<Type> {
  (data: unknown): data is Type
  readonly errors?: readonly ValidationError[] | null
  /** Returns at most a thousand errors. Empty for valid data. */
  readonly findAll: (data: unknown) => readonly ValidationError[]
}

export type Validators<Schemas> = { readonly [Name in keyof Schemas]: Validator<Schemas[Name]> }

/** The keywords of JSON Schema 2020-12 that the validator checks. A `$ref` ends with the name of a schema. */
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
  /** The property that selects a part of `oneOf`. Each part specifies a different constant for the property. */
  readonly discriminator?: { readonly propertyName: string }
  readonly not?: CheckedSchema
  /** The templates of derived values, by JSON pointer. `{field}` is the value of a field. Null and absent values are valid. */
  readonly 'x-derived'?: Readonly<Record<string, string>>
}

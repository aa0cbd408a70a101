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
}

export type Validators<Schemas> = { readonly [Name in keyof Schemas]: Validator<Schemas[Name]> }

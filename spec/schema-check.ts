import type { CheckedSchema, ValidationError } from './validator.ts'

/** Whether the data at a path fits; what does not is added to the errors. */
export type Check = (data: unknown, path: string, errors: ValidationError[]) => boolean
export type Failure = Omit<ValidationError, 'instancePath'>

/** Whether all parts fit. */
export type Every = <Part>(parts: readonly Part[], fits: (part: Part) => boolean) => boolean

export interface Compiler {
  readonly every: Every
  readonly compile: (schema: CheckedSchema) => Check
  /** The check of a named schema, which is compiled when it is first called: schemas may refer to each other. */
  readonly named: (name: string) => Check
  /** The schema itself, or the one that it refers to. */
  readonly resolve: (schema: CheckedSchema) => CheckedSchema | undefined
}

export function report(errors: ValidationError[], instancePath: string, failure: Failure): false {
  errors.push({ instancePath, ...failure })
  return false
}

/** A check of the data as a whole. */
export function checkThat(fits: (data: unknown) => boolean, failure: Failure): Check {
  return (data, path, errors) => fits(data) || report(errors, path, failure)
}

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

/** Hostile data cannot make errors be collected without end. */
const MOST_ERRORS = 1_000

export function report(errors: ValidationError[], instancePath: string, failure: Failure): false {
  if (errors.length < MOST_ERRORS) errors.push({ instancePath, ...failure })
  return false
}

/** A check of the data as a whole. */
export function checkThat(fits: (data: unknown) => boolean, failure: Failure): Check {
  return (data, path, errors) => fits(data) || report(errors, path, failure)
}

export function unionChecks(schema: CheckedSchema, compiler: Compiler): Check[] {
  const { allOf = [], anyOf, oneOf, not, discriminator } = schema
  const { compile } = compiler
  const chosen = oneOf && discriminator && discriminatorCheck(oneOf, discriminator.propertyName, compiler)
  const union = (keyword: 'anyOf' | 'oneOf', parts: readonly CheckedSchema[], message: string): Check => {
    const checks = parts.map(compile)
    return (data, path, errors) => {
      const inner: ValidationError[] = []
      const passing = checks.filter((check) => check(data, path, inner)).length
      if (keyword === 'anyOf' ? passing > 0 : passing === 1) return true
      errors.push(...(passing > 1 ? [] : inner), { instancePath: path, keyword, params: {}, message })
      return false
    }
  }
  const negated = not && compile(not)
  const failure = { keyword: 'not', params: {}, message: 'must NOT be valid' }
  return [
    ...(negated ? [checkThat((data) => !negated(data, '', []), failure)] : []),
    ...(anyOf ? [union('anyOf', anyOf, 'must match a schema in anyOf')] : []),
    ...(chosen ? [chosen] : oneOf ? [union('oneOf', oneOf, 'must match exactly one schema in oneOf')] : []),
    ...allOf.map(compile),
  ]
}

/**
 * The one of the parts that a property names, if each has its own constant for that: what is wrong is wrong by that one,
 * not by all of them.
 */
function discriminatorCheck(
  parts: readonly CheckedSchema[],
  tag: string,
  { compile, resolve }: Compiler,
): Check | undefined {
  const checkByValue = new Map(
    parts.map((part) => [resolve(part)?.properties?.[tag]?.const, compile(part)] as const),
  )
  if (checkByValue.size < parts.length || checkByValue.has(undefined)) return undefined
  return (data, path, errors) => {
    const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, tag) : undefined
    const check = checkByValue.get(value)
    if (check) return check(data, path, errors)
    const message = `must have a known value of "${tag}"`
    return report(errors, path, { keyword: 'discriminator', params: { tag }, message })
  }
}

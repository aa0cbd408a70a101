import { entriesOf, fillTemplate, pointerStep, typeTest, valueAt } from './json-values.ts'
import type { CheckedSchema, ValidationError } from './validator.ts'

/** The list of errors. Undefined if only the result is needed: a check without a list takes a third of the time. */
export type Errors = ValidationError[] | undefined

export type Check = (data: unknown, path: string, errors: Errors) => boolean
export type Failure = Omit<ValidationError, 'instancePath'>

export type Every = <Part>(parts: readonly Part[], fits: (part: Part) => boolean) => boolean

/** Appends a step to the path of a value. Does nothing if no errors are collected, because only errors need the path. */
export function stepInto(path: string, step: string, errors: Errors): string {
  return errors ? path + step : path
}

export interface Compiler {
  readonly every: Every
  readonly compile: (schema: CheckedSchema) => Check
  /** Returns the check of a named schema. Compiles the check at the first call, because schemas can refer to each other. */
  readonly named: (name: string) => Check
  readonly resolve: (schema: CheckedSchema) => CheckedSchema | undefined
}

/** The maximum number of errors in a list, which limits the memory that hostile data can use. */
const MAX_ERRORS = 1_000

export function report(errors: Errors, instancePath: string, failure: Failure): false {
  if (errors && errors.length < MAX_ERRORS) errors.push({ instancePath, ...failure })
  return false
}

export function checkThat(fits: (data: unknown) => boolean, failure: Failure): Check {
  return (data, path, errors) => fits(data) || report(errors, path, failure)
}

export function unionChecks(schema: CheckedSchema, compiler: Compiler): Check[] {
  const { allOf = [], anyOf, not, discriminator } = schema
  const oneOf = findPairs(schema, compiler) ? undefined : schema.oneOf
  const { compile } = compiler
  const chosen = oneOf && discriminator && discriminatorCheck(oneOf, discriminator.propertyName, compiler)
  const union = (keyword: 'anyOf' | 'oneOf', parts: readonly CheckedSchema[], message: string): Check => {
    const checks = parts.map(compile)
    return (data, path, errors) => {
      const inner: Errors = errors && []
      const passing = checks.filter((check) => check(data, path, inner)).length
      if (keyword === 'anyOf' ? passing > 0 : passing === 1) return true
      errors?.push(...(passing > 1 ? [] : (inner ?? [])), {
        instancePath: path,
        keyword,
        params: {},
        message,
      })
      return false
    }
  }
  const negated = not && compile(not)
  const failure = { keyword: 'not', params: {}, message: 'must NOT be valid' }
  return [
    ...(negated ? [checkThat((data) => !negated(data, '', undefined), failure)] : []),
    ...(anyOf ? [union('anyOf', anyOf, 'must match a schema in anyOf')] : []),
    ...(chosen ? [chosen] : oneOf ? [union('oneOf', oneOf, 'must match exactly one schema in oneOf')] : []),
    ...allOf.map(compile),
  ]
}

/**
 * Returns a map with the check for each part. The key is the constant that the part requires for the property `tag`. Undefined if
 * a part has no unique constant.
 */
function checksByConstant(
  parts: readonly CheckedSchema[],
  tag: string,
  { compile, resolve }: Compiler,
): ReadonlyMap<unknown, Check> | undefined {
  const checkByValue = new Map(
    parts.map((part) => [resolve(part)?.properties?.[tag]?.const, compile(part)] as const),
  )
  return checkByValue.size < parts.length || checkByValue.has(undefined) ? undefined : checkByValue
}

/** Returns a check for only the part of `oneOf` that the property `tag` selects, which gives specific errors. */
function discriminatorCheck(
  parts: readonly CheckedSchema[],
  tag: string,
  compiler: Compiler,
): Check | undefined {
  const checkByValue = checksByConstant(parts, tag, compiler)
  if (!checkByValue) return undefined
  return (data, path, errors) => {
    const check = checkByValue.get(valueOfTag(data, tag))
    if (check) return check(data, path, errors)
    const message = `must have a known value of "${tag}"`
    return report(errors, path, { keyword: 'discriminator', params: { tag }, message })
  }
}

const valueOfTag = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined

interface Pairs {
  readonly tag: string
  readonly checkByValue: ReadonlyMap<unknown, Check>
}

/** Finds the rule that relates values of an object, such as a state and its code. The schema's `oneOf` contains the rule. */
function findPairs({ properties, oneOf = [] }: CheckedSchema, compiler: Compiler): Pairs | undefined {
  const [tag] = Object.keys(oneOf[0]?.properties ?? {})
  if (!properties || tag === undefined) return undefined
  const checkByValue = checksByConstant(oneOf, tag, compiler)
  return checkByValue && { tag, checkByValue }
}

export function relationChecks(schema: CheckedSchema, compiler: Compiler): Check[] {
  const pairs = findPairs(schema, compiler)
  const derived = entriesOf(schema['x-derived'] ?? {})
  return [
    ...(pairs ? [pairCheck(pairs)] : []),
    ...derived.map(([pointer, template]) =>
      derivedCheck(pointer, template, compiler.compile(ownFields(schema, template))),
    ),
  ]
}

function pairCheck({ tag, checkByValue }: Pairs): Check {
  const failure = {
    keyword: 'enum',
    params: { allowedValues: [...checkByValue.keys()] },
    message: 'must be equal to one of the allowed values',
  }
  const isObject = typeTest('object')
  return (data, path, errors) => {
    if (!isObject(data)) return true
    const value = valueOfTag(data, tag)
    const check = checkByValue.get(value)
    if (!check) return report(errors, path + pointerStep(tag), failure)
    const inner: Errors = errors && []
    if (check(data, path, inner)) return true
    for (const { instancePath, keyword, params, message = 'is not valid' } of inner ?? []) {
      const told = { ...params, tag, tagValue: value }
      const where = `${message} where "${tag}" is ${JSON.stringify(value)}`
      report(errors, instancePath, { keyword, params: told, message: where })
    }
    return false
  }
}

/** Returns a schema with only the template's fields. If a template field is invalid, only the error of this field is reported. */
function ownFields({ properties = {} }: CheckedSchema, template: string): CheckedSchema {
  const named: Record<string, CheckedSchema> = {}
  for (const [name, property] of entriesOf(properties))
    if (template.includes(`{${name}}`)) named[name] = property
  return { properties: named }
}

function derivedCheck(pointer: string, template: string, hasOwnFields: Check): Check {
  return (data, path, errors) => {
    const value = valueAt(data, pointer)
    if (typeof data !== 'object' || data === null || value === null || value === undefined) return true
    if (!hasOwnFields(data, path, undefined)) return true
    const allowedValue = fillTemplate(template, data)
    if (allowedValue === undefined || value === allowedValue) return true
    const message = `must be ${JSON.stringify(allowedValue)}`
    return report(errors, path + pointer, { keyword: 'const', params: { allowedValue }, message })
  }
}

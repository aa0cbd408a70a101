import { LIMITS, hasDuplicates, isOfFormat, isSame, pointerStep, typeOfJson } from './json-values.ts'
import type { CheckedSchema, ValidationError, Validator, Validators } from './validator.ts'

/**
 * One validator for each schema, by name, compiled when it is first called. It stops at the first error, so that hostile
 * data cannot make it collect errors without end, unless `findsAll` says that the data of this name is flat.
 */
export function createValidators<Types>(
  schemas: Readonly<Record<string, CheckedSchema>>,
  findsAll: (name: string) => boolean = () => false,
): Validators<Types> {
  const [first, all] = [createCompiler(schemas, everyPart), createCompiler(schemas, eachPart)]
  const entries = Object.keys(schemas).map((name) => {
    const check = (findsAll(name) ? all : first).named(name)
    const validator = (data: unknown): boolean => {
      const errors: ValidationError[] = []
      const fits = check(data, '', errors)
      validator.errors = fits ? null : errors
      return fits
    }
    validator.errors = null as Validator<unknown>['errors']
    return [name, validator]
  })
  return Object.fromEntries(entries) as Validators<Types>
}

/** Whether the data at a path fits; what does not is added to the errors. */
type Check = (data: unknown, path: string, errors: ValidationError[]) => boolean
type Failure = Omit<ValidationError, 'instancePath'>

/** Whether all parts fit. */
type Every = <Part>(parts: readonly Part[], fits: (part: Part) => boolean) => boolean

function everyPart<Part>(parts: readonly Part[], fits: (part: Part) => boolean): boolean {
  return parts.every((part) => fits(part))
}

/** The same, without stopping at the first that does not. */
function eachPart<Part>(parts: readonly Part[], fits: (part: Part) => boolean): boolean {
  return parts.filter((part) => !fits(part)).length === 0
}

interface Compiler {
  readonly every: Every
  readonly compile: (schema: CheckedSchema) => Check
  /** The check of a named schema, which is compiled when it is first called: schemas may refer to each other. */
  readonly named: (name: string) => Check
}

function createCompiler(schemas: Readonly<Record<string, CheckedSchema>>, every: Every): Compiler {
  const checkByName = new Map<string, Check>()
  const compiler: Compiler = {
    every,
    compile(schema) {
      const checks = KEYWORDS.flatMap((checksOf) => checksOf(schema, compiler))
      const [only] = checks
      if (only && checks.length === 1) return only
      return (data, path, errors) => every(checks, (check) => check(data, path, errors))
    },
    named(name) {
      const schema = schemas[name]
      if (!schema) throw new SyntaxError(`Cannot validate: there is no schema ${name}`)
      return (data, path, errors) => {
        const check = checkByName.get(name) ?? compiler.compile(schema)
        checkByName.set(name, check)
        return check(data, path, errors)
      }
    },
  }
  return compiler
}

/** The checks of a schema, in the order in which ajv makes them. */
const KEYWORDS: readonly ((schema: CheckedSchema, compiler: Compiler) => readonly Check[])[] = [
  ({ $ref }, { named }) => ($ref === undefined ? [] : [named($ref.slice($ref.lastIndexOf('/') + 1))]),
  typeChecks,
  limitChecks,
  textChecks,
  valueChecks,
  unionChecks,
  listChecks,
  objectChecks,
]

function report(errors: ValidationError[], instancePath: string, failure: Failure): false {
  errors.push({ instancePath, ...failure })
  return false
}

/** A check of the data as a whole. */
function checkThat(fits: (data: unknown) => boolean, failure: Failure): Check {
  return (data, path, errors) => fits(data) || report(errors, path, failure)
}

function typeChecks({ type }: CheckedSchema): Check[] {
  if (type === undefined) return []
  const allowed = new Set(typeof type === 'string' ? [type] : type)
  if (allowed.has('number')) allowed.add('integer')
  const message = `must be ${String(type)}`
  return [checkThat((data) => allowed.has(typeOfJson(data)), { keyword: 'type', params: { type }, message })]
}

function limitChecks(schema: CheckedSchema): Check[] {
  return LIMITS.flatMap(([keyword, words, sizeOf, holds]) => {
    const limit = schema[keyword]
    if (limit === undefined) return []
    const fits = (data: unknown) => {
      const size = sizeOf(data)
      return size === undefined || holds(size, limit)
    }
    return [
      checkThat(fits, { keyword, params: { limit }, message: `must ${words.replace('#', String(limit))}` }),
    ]
  })
}

function textChecks({ pattern, format }: CheckedSchema): Check[] {
  const regExp = new RegExp(pattern ?? '', 'u')
  const ofText = (keyword: 'pattern' | 'format', value: string, fits: (text: string) => boolean) =>
    checkThat((data) => typeof data !== 'string' || fits(data), {
      keyword,
      params: { [keyword]: value },
      message: `must match ${keyword} "${value}"`,
    })
  return [
    ...(pattern === undefined ? [] : [ofText('pattern', pattern, (text) => regExp.test(text))]),
    ...(format === undefined ? [] : [ofText('format', format, (text) => isOfFormat(text, format))]),
  ]
}

function valueChecks(schema: CheckedSchema): Check[] {
  const { const: allowedValue, enum: allowedValues } = schema
  const checks: Check[] = []
  if ('const' in schema) {
    const failure = { keyword: 'const', params: { allowedValue }, message: 'must be equal to constant' }
    checks.push(checkThat((data) => isSame(allowedValue, data), failure))
  }
  if (allowedValues) {
    const message = 'must be equal to one of the allowed values'
    const fits = (data: unknown) => allowedValues.some((value) => isSame(value, data))
    checks.push(checkThat(fits, { keyword: 'enum', params: { allowedValues }, message }))
  }
  return checks
}

function unionChecks({ allOf = [], anyOf, oneOf, not }: CheckedSchema, { compile }: Compiler): Check[] {
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
    ...(oneOf ? [union('oneOf', oneOf, 'must match exactly one schema in oneOf')] : []),
    ...allOf.map(compile),
  ]
}

function listChecks({ items, uniqueItems = false }: CheckedSchema, { compile, every }: Compiler): Check[] {
  const failure = { keyword: 'uniqueItems', params: {}, message: 'must NOT have duplicate items' }
  const unique = checkThat((data) => !Array.isArray(data) || !hasDuplicates(data), failure)
  const item = items && compile(items)
  const each: Check = (data, path, errors) =>
    !Array.isArray(data) ||
    every([...data.entries()], ([index, value]) => item?.(value, `${path}/${index}`, errors) !== false)
  return [...(uniqueItems ? [unique] : []), ...(item ? [each] : [])]
}

function objectChecks(schema: CheckedSchema, { compile, every }: Compiler): Check[] {
  const { required = [], properties = {}, additionalProperties: others = true } = schema
  const pairs = Object.entries(schema.dependentRequired ?? {}).flatMap(([property, names]) =>
    names.map((missingProperty) => ({ property, missingProperty })),
  )
  const known = Object.entries(properties).map(([name, property]) => ({
    name,
    step: pointerStep(name),
    check: compile(property),
  }))
  const presence = checkFields((fields, path, errors) =>
    every(required, (name) => fieldOf(fields, name) !== undefined || report(errors, path, missing(name))),
  )
  const values = checkFields((fields, path, errors) =>
    every(known, ({ name, step, check }) => {
      const value = fieldOf(fields, name)
      return value === undefined || check(value, path + step, errors)
    }),
  )
  const other = typeof others === 'object' ? compile(others) : undefined
  const further = checkFields((fields, path, errors) =>
    every(
      Object.keys(fields).filter((name) => !Object.hasOwn(properties, name)),
      (name) =>
        other ? other(fields[name], path + pointerStep(name), errors) : report(errors, path, extra(name)),
    ),
  )
  const company = checkFields((fields, path, errors) =>
    every(pairs, (pair) => {
      const { property, missingProperty } = pair
      if (fieldOf(fields, property) === undefined || fieldOf(fields, missingProperty) !== undefined)
        return true
      const message = `must have property ${missingProperty} when property ${property} is present`
      return report(errors, path, { keyword: 'dependentRequired', params: pair, message })
    }),
  )
  return [
    ...(required.length > 0 ? [presence] : []),
    ...(others === true ? [] : [further]),
    ...(known.length > 0 ? [values] : []),
    ...(pairs.length > 0 ? [company] : []),
  ]
}

type Fields = Readonly<Record<string, unknown>>

/** A check of what is an object. */
function checkFields(check: (fields: Fields, path: string, errors: ValidationError[]) => boolean): Check {
  return (data, path, errors) =>
    typeof data !== 'object' || data === null || Array.isArray(data) || check(data as Fields, path, errors)
}

/** What is there when the object is written as JSON: no inherited function, such as `constructor`. */
function fieldOf(fields: Fields, name: string): unknown {
  const value = fields[name]
  return typeof value === 'function' && !Object.hasOwn(fields, name) ? undefined : value
}

function missing(missingProperty: string): Failure {
  const message = `must have required property '${missingProperty}'`
  return { keyword: 'required', params: { missingProperty }, message }
}

function extra(additionalProperty: string): Failure {
  const message = 'must NOT have additional properties'
  return { keyword: 'additionalProperties', params: { additionalProperty }, message }
}

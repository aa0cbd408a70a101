import {
  LIMITS,
  concatMap,
  entriesOf,
  hasDuplicates,
  hasOwn,
  isOfFormat,
  isSame,
  pointerStep,
  typeTest,
} from './json-values.ts'
import {
  checkThat,
  report,
  type Check,
  type Compiler,
  type Every,
  type Errors,
  type Failure,
  stepInto,
  relationChecks,
  unionChecks,
} from './schema-check.ts'
import type { CheckedSchema, ValidationError, Validator, Validators } from './validator.ts'

/** Returns a validator for each schema, compiled at its first call. Stops at the first error, unless `findsAll` is true for the name. */
export function createValidators<Types>(
  schemas: Readonly<Record<string, CheckedSchema>>,
  findsAll: (name: string) => boolean = () => false,
): Validators<Types> {
  const [first, all] = [createCompiler(schemas, everyPart), createCompiler(schemas, eachPart)]
  const made: Record<string, Validator<unknown>> = {}
  for (const name of Object.keys(schemas)) {
    const checkAll = all.named(name)
    const check = findsAll(name) ? checkAll : first.named(name)
    const quickCheck = first.named(name)
    const validator = (data: unknown): boolean => {
      validator.errors = null
      if (quickCheck(data, '', undefined)) return true
      const errors: ValidationError[] = []
      check(data, '', errors)
      validator.errors = errors
      return false
    }
    validator.errors = null as Validator<unknown>['errors']
    validator.findAll = (data: unknown): readonly ValidationError[] => {
      const errors: ValidationError[] = []
      return checkAll(data, '', errors) ? [] : errors
    }
    made[name] = validator as Validator<unknown>
  }
  return made as Validators<Types>
}

function everyPart<Part>(parts: readonly Part[], fits: (part: Part) => boolean): boolean {
  // This loop runs for each object and each field. A loop takes half the time of the array method `every`.
  for (const part of parts) if (!fits(part)) return false
  return true
}

function eachPart<Part>(parts: readonly Part[], fits: (part: Part) => boolean): boolean {
  return parts.filter((part) => !fits(part)).length === 0
}

function createCompiler(schemas: Readonly<Record<string, CheckedSchema>>, every: Every): Compiler {
  const checkByName = new Map<string, Check>()
  function compileOnce(name: string, schema: CheckedSchema): Check {
    const check = checkByName.get(name) ?? compiler.compile(schema)
    checkByName.set(name, check)
    return check
  }
  const compiler: Compiler = {
    every,
    compile(schema) {
      const checks = concatMap(KEYWORDS, (checksOf) => checksOf(schema, compiler))
      const [only] = checks
      if (only && checks.length === 1) return only
      return (data, path, errors) => every(checks, (check) => check(data, path, errors))
    },
    named(name) {
      const schema = schemas[name]
      if (!schema) throw new SyntaxError(`Cannot validate: unknown schema ${name}`)
      let check: Check | undefined
      return (data, path, errors) => {
        check ??= compileOnce(name, schema)
        return check(data, path, errors)
      }
    },
    resolve: (schema) => (schema.$ref === undefined ? schema : schemas[nameInRef(schema.$ref)]),
  }
  return compiler
}

function nameInRef(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** The checks for each keyword, in ajv's order. Only the relation checks run later than in ajv. */
const KEYWORDS: readonly ((schema: CheckedSchema, compiler: Compiler) => readonly Check[])[] = [
  ({ $ref }, { named }) => ($ref === undefined ? [] : [named(nameInRef($ref))]),
  typeChecks,
  limitChecks,
  textChecks,
  valueChecks,
  unionChecks,
  listChecks,
  objectChecks,
  relationChecks,
]

function typeChecks({ type }: CheckedSchema): Check[] {
  if (type === undefined) return []
  const message = `must be ${String(type)}`
  return [checkThat(typeTest(type), { keyword: 'type', params: { type }, message })]
}

function limitChecks(schema: CheckedSchema): Check[] {
  return concatMap(LIMITS, ([keyword, words, sizeOf, holds]) => {
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
    const known = new Set(allowedValues)
    const fits = (data: unknown) => known.has(data) || allowedValues.some((value) => isSame(value, data))
    checks.push(checkThat(fits, { keyword: 'enum', params: { allowedValues }, message }))
  }
  return checks
}

function listChecks({ items, uniqueItems = false }: CheckedSchema, { compile, every }: Compiler): Check[] {
  const failure = { keyword: 'uniqueItems', params: {}, message: 'must NOT have duplicate items' }
  const unique = checkThat((data) => !Array.isArray(data) || !hasDuplicates(data), failure)
  const item = items && compile(items)
  const each: Check = (data, path, errors) =>
    !Array.isArray(data) ||
    every(
      [...data.entries()],
      ([index, value]) => item?.(value, errors ? `${path}/${index}` : path, errors) !== false,
    )
  return [...(uniqueItems ? [unique] : []), ...(item ? [each] : [])]
}

function objectChecks(schema: CheckedSchema, { compile, every }: Compiler): Check[] {
  const { required = [], properties = {}, additionalProperties: others = true } = schema
  const pairs = concatMap(entriesOf(schema.dependentRequired ?? {}), ([property, names]) =>
    names.map((missingProperty) => ({ property, missingProperty })),
  )
  const known = entriesOf(properties).map(([name, property]) => ({
    name,
    step: pointerStep(name),
    check: compile(property),
  }))
  const presence = checkFields((fields, path, errors) =>
    every(required, (name) => readField(fields, name) !== undefined || report(errors, path, missing(name))),
  )
  const values = checkFields((fields, path, errors) =>
    every(known, ({ name, step, check }) => {
      const value = readField(fields, name)
      return value === undefined || check(value, stepInto(path, step, errors), errors)
    }),
  )
  const other = typeof others === 'object' ? compile(others) : undefined
  const names = new Set(Object.keys(properties))
  const further = checkFields((fields, path, errors) =>
    every(Object.keys(fields), (name) => {
      if (names.has(name)) return true
      return other
        ? other(fields[name], errors ? path + pointerStep(name) : path, errors)
        : report(errors, path, extra(name))
    }),
  )
  const company = checkFields((fields, path, errors) =>
    every(pairs, (pair) => {
      const { property, missingProperty } = pair
      if (readField(fields, property) === undefined || readField(fields, missingProperty) !== undefined)
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

function checkFields(check: (fields: Fields, path: string, errors: Errors) => boolean): Check {
  return (data, path, errors) =>
    typeof data !== 'object' || data === null || Array.isArray(data) || check(data as Fields, path, errors)
}

/** Returns a field of JSON data. Ignores inherited functions such as `constructor`. */
function readField(fields: Fields, name: string): unknown {
  const value = fields[name]
  return typeof value === 'function' && !hasOwn(fields, name) ? undefined : value
}

function missing(missingProperty: string): Failure {
  const message = `must have required property '${missingProperty}'`
  return { keyword: 'required', params: { missingProperty }, message }
}

function extra(additionalProperty: string): Failure {
  const message = 'must NOT have additional properties'
  return { keyword: 'additionalProperties', params: { additionalProperty }, message }
}

import { isOfFormat } from './formats.ts'
import type { ValidationError, Validator, Validators } from './validator.ts'

/** The part of JSON Schema 2020-12 that is checked; `$ref` is the name of another schema. */
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
  readonly items?: CheckedSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly allOf?: readonly CheckedSchema[]
  readonly anyOf?: readonly CheckedSchema[]
  readonly oneOf?: readonly CheckedSchema[]
  readonly not?: CheckedSchema
}

type CheckedSchemas = Readonly<Record<string, CheckedSchema>>

/** One validator for each schema, by name. Each stops at the first error. */
export function validatorsOf<Types>(schemas: { readonly [Name in keyof Types]: CheckedSchema }) {
  const all: CheckedSchemas = schemas
  const entries = Object.entries(all).map(([name, schema]) => {
    const validator = (data: unknown): boolean => {
      const error = errorIn(data, schema, { path: '', schemas: all })
      validator.errors = error === undefined ? null : [error]
      return error === undefined
    }
    validator.errors = null as Validator<unknown>['errors']
    return [name, validator]
  })
  return Object.fromEntries(entries) as Validators<Types>
}

interface Where {
  /** JSON pointer of the value. */
  readonly path: string
  readonly schemas: CheckedSchemas
}

const CHECKS = [typeError, valueError, numberError, textError, listError, objectError, unionError]

function errorIn(data: unknown, schema: CheckedSchema, where: Where): ValidationError | undefined {
  const target = schema.$ref === undefined ? undefined : where.schemas[schema.$ref]
  const referred = target && errorIn(data, target, where)
  if (referred) return referred
  for (const check of CHECKS) {
    const error = check(data, schema, where)
    if (error) return error
  }
  return undefined
}

type Params = ValidationError['params']

function failed({ path }: Where, keyword: string, told: Params & { message: string }): ValidationError {
  const { message, ...params } = told
  return { instancePath: path, keyword, params, message }
}

function typeError(data: unknown, { type }: CheckedSchema, where: Where): ValidationError | undefined {
  if (type === undefined) return undefined
  const allowed = typeof type === 'string' ? [type] : type
  const actual = typeOfJson(data)
  const fits = allowed.includes(actual) || (allowed.includes('number') && actual === 'integer')
  return fits ? undefined : failed(where, 'type', { type, message: `must be ${allowed.join(',')}` })
}

function typeOfJson(data: unknown): string {
  if (data === null) return 'null'
  if (Array.isArray(data)) return 'array'
  return typeof data === 'number' && Number.isInteger(data) ? 'integer' : typeof data
}

function valueError(data: unknown, schema: CheckedSchema, where: Where): ValidationError | undefined {
  const is = (value: unknown) => isSame(value, data)
  if (schema.enum && !schema.enum.some(is)) {
    const message = 'must be equal to one of the allowed values'
    return failed(where, 'enum', { allowedValues: schema.enum, message })
  }
  if (!('const' in schema) || is(schema.const)) return undefined
  return failed(where, 'const', { allowedValue: schema.const, message: 'must be equal to constant' })
}

/** Whether two JSON values are the same, whatever the order of their keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  if (keys.length !== others.length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isSame(Reflect.get(a, key), Reflect.get(b, key)))
}

function numberError(data: unknown, schema: CheckedSchema, where: Where): ValidationError | undefined {
  if (typeof data !== 'number') return undefined
  const limits = [
    ['minimum', '>=', (limit: number) => data >= limit],
    ['maximum', '<=', (limit: number) => data <= limit],
    ['exclusiveMinimum', '>', (limit: number) => data > limit],
    ['exclusiveMaximum', '<', (limit: number) => data < limit],
    ['multipleOf', 'multiple of', (limit: number) => Number.isInteger(data / limit)],
  ] as const
  return beyond(schema, where, limits)
}

function textError(data: unknown, schema: CheckedSchema, where: Where): ValidationError | undefined {
  if (typeof data !== 'string') return undefined
  const { pattern, format } = schema
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(data)) {
    return failed(where, 'pattern', { pattern, message: `must match pattern "${pattern}"` })
  }
  if (format !== undefined && !isOfFormat(data, format)) {
    return failed(where, 'format', { format, message: `must match format "${format}"` })
  }
  if (schema.minLength === undefined && schema.maxLength === undefined) return undefined
  // Counts code points, as JSON Schema does.
  const { length } = Array.from(data)
  return beyond(schema, where, [
    ['minLength', 'NOT have fewer characters than', (limit: number) => length >= limit],
    ['maxLength', 'NOT have more characters than', (limit: number) => length <= limit],
  ])
}

type Limit = readonly [keyof CheckedSchema, string, (limit: number) => boolean]

function beyond(schema: CheckedSchema, where: Where, limits: readonly Limit[]): ValidationError | undefined {
  for (const [keyword, words, holds] of limits) {
    const limit = schema[keyword]
    if (typeof limit === 'number' && !holds(limit)) {
      return failed(where, keyword, {
        limit,
        message: `must ${words.startsWith('NOT') ? '' : 'be '}${words} ${limit}`,
      })
    }
  }
  return undefined
}

function listError(data: unknown, schema: CheckedSchema, where: Where): ValidationError | undefined {
  if (!Array.isArray(data)) return undefined
  const error = beyond(schema, where, [
    ['minItems', 'NOT have fewer items than', (limit: number) => data.length >= limit],
    ['maxItems', 'NOT have more items than', (limit: number) => data.length <= limit],
  ])
  if (error) return error
  if (schema.uniqueItems === true && hasDuplicates(data)) {
    return failed(where, 'uniqueItems', { message: 'must NOT have duplicate items' })
  }
  for (const [index, item] of data.entries()) {
    const inner = schema.items && errorIn(item, schema.items, within(where, index))
    if (inner) return inner
  }
  return undefined
}

function hasDuplicates(data: readonly unknown[]): boolean {
  return data.some((item, index) => data.slice(0, index).some((earlier) => isSame(earlier, item)))
}

function objectError(data: unknown, schema: CheckedSchema, where: Where): ValidationError | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined
  const missingProperty = schema.required?.find((name) => !Object.hasOwn(data, name))
  if (missingProperty !== undefined) {
    const message = `must have required property '${missingProperty}'`
    return failed(where, 'required', { missingProperty, message })
  }
  const { properties = {}, additionalProperties = true } = schema
  for (const [name, value] of Object.entries(data)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (known === false) {
      const message = 'must NOT have additional properties'
      return failed(where, 'additionalProperties', { additionalProperty: name, message })
    }
    const error = typeof known === 'object' ? errorIn(value, known, within(where, name)) : undefined
    if (error) return error
  }
  return undefined
}

function within({ path, schemas }: Where, key: string | number): Where {
  return { path: `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`, schemas }
}

function unionError(data: unknown, schema: CheckedSchema, where: Where): ValidationError | undefined {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema
  for (const part of allOf) {
    const error = errorIn(data, part, where)
    if (error) return error
  }
  const errors = [...anyOf, ...oneOf].map((part) => errorIn(data, part, where))
  if (anyOf.length > 0 && !errors.slice(0, anyOf.length).includes(undefined)) {
    return failed(where, 'anyOf', { message: 'must match a schema in anyOf' })
  }
  const passing = errors.slice(anyOf.length).filter((error) => error === undefined).length
  if (oneOf.length > 0 && passing !== 1) {
    return failed(where, 'oneOf', { passing, message: 'must match exactly one schema in oneOf' })
  }
  if (not && errorIn(data, not, where) === undefined) {
    return failed(where, 'not', { message: 'must NOT be valid' })
  }
  return undefined
}

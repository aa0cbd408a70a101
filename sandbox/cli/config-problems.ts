import { CONFIG_SCHEMAS } from '../../spec/generated/config-schemas.ts'
import { deref, type JsonSchema } from '../../spec/json-schema.ts'
import { pointerKeys, pointerStep, valueAt } from '../../spec/json-values.ts'
import type { ValidationError } from '../../spec/validator.ts'
import { correctSpelling, formatChoices } from '../../spec/nearest.ts'

const ROOT: JsonSchema = CONFIG_SCHEMAS['ConfigFile'] ?? {}

export interface ConfigProblem {
  readonly path: readonly string[]
  /** A sentence that contains the key: `"port" takes …`. */
  readonly message: string
}

export function describeProblems(
  errors: readonly ValidationError[],
  config: object,
): readonly ConfigProblem[] {
  // Reports a value only once if it matches no member of a union.
  const unions = new Set(
    errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath),
  )
  return errors
    .filter(({ keyword, instancePath }) => keyword === 'anyOf' || !unions.has(instancePath))
    .flatMap((error) => describeProblem(error, config))
}

function describeProblem({ instancePath, keyword, params }: ValidationError, config: object) {
  const path = pointerKeys(instancePath)
  const { schema, isSecret } = schemaAt(path)
  switch (keyword) {
    case 'additionalProperties':
      return unknownKey([...path, String(params['additionalProperty'])], { schema, config })
    case 'required': {
      const key = String(params['missingProperty'])
      const { description = '' } = resolveSchema(schema.properties?.[key] ?? {})
      return [createProblem([...path, key], `is missing: ${asClause(description)}`)]
    }
    case 'dependentRequired':
      return [
        createProblem(
          [...path, String(params['property'])],
          `requires "${[...path, String(params['missingProperty'])].join('.')}"`,
        ),
      ]
    default: {
      const instead = isSecret ? '' : describeValue(valueAt(config, instancePath))
      return [createProblem(path, `takes ${describeSchema(schema)}${instead}`)]
    }
  }
}

interface Parent {
  readonly schema: JsonSchema
  readonly config: object
}

function unknownKey(path: readonly string[], { schema, config }: Parent): readonly ConfigProblem[] {
  const key = path.at(-1) ?? ''
  const value = valueAt(config, path.map(pointerStep).join(''))
  if (path.join('.') === 'effects.function') {
    const where = 'which only a configuration in TypeScript or JavaScript can contain'
    return typeof value === 'function' ? [] : [createProblem(path, `takes a function, ${where}`)]
  }
  const siblings = Object.keys(schema.properties ?? {})
  const meant = correctSpelling(key, siblings)
  const elsewhere = meant === undefined ? findPath(key) : [...path.slice(0, -1), meant].join('.')
  if (elsewhere !== undefined) return [createProblem(path, `${UNKNOWN}. Did you mean "${elsewhere}"?`)]
  // An unknown key may contain an object with keys that belong elsewhere in the configuration.
  const within = isObject(value) ? Object.keys(value) : []
  if (within.some((inner) => findPath(inner) !== undefined)) {
    return within.flatMap((inner) => unknownKey([...path, inner], { schema: {}, config }))
  }
  const known = siblings.length > 0 ? `. The keys here are ${siblings.join(', ')}` : ''
  return [createProblem(path, `${UNKNOWN}${known}`)]
}

const UNKNOWN = 'is not a key of the configuration'

/** Returns the shortest path to a key with this name in the schema. */
function findPath(key: string): string | undefined {
  let level: readonly (readonly [path: string, schema: JsonSchema])[] = [['', ROOT]]
  while (level.length > 0) {
    level = level.flatMap(([path, schema]) =>
      Object.entries(resolveSchema(schema).properties ?? {}).map(
        ([name, inner]) => [`${path}.${name}`, inner] as const,
      ),
    )
    const found = level.find(([path]) => path.endsWith(`.${key}`))
    if (found) return found[0].slice(1)
  }
  return undefined
}

function createProblem(path: readonly string[], text: string): ConfigProblem {
  return { path, message: `"${path.join('.')}" ${text}` }
}

function schemaAt(path: readonly string[]): { readonly schema: JsonSchema; readonly isSecret: boolean } {
  let schema = resolveSchema(ROOT)
  let isSecret = false
  for (const key of path) {
    const { properties = {}, additionalProperties, items = {} } = schema
    const others = typeof additionalProperties === 'object' ? additionalProperties : items
    schema = resolveSchema((Object.hasOwn(properties, key) ? properties[key] : undefined) ?? others)
    isSecret ||= schema.writeOnly === true
  }
  return { schema, isSecret }
}

function resolveSchema(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : { ...deref(schema, CONFIG_SCHEMAS), ...schema }
}

function describeSchema(schema: JsonSchema): string {
  const { 'x-takes': takes, anyOf, const: only, enum: values } = schema
  if (takes !== undefined) return takes
  if (anyOf) return anyOf.map((each) => describeSchema(each)).join(' or ')
  if (only !== undefined) return JSON.stringify(only)
  if (values) return formatChoices(values.map((value) => JSON.stringify(value)))
  const [type = 'text'] = [schema.type ?? []].flat()
  const { minimum, maximum, exclusiveMinimum, properties } = schema
  switch (type) {
    case 'integer':
      return `a whole number from ${minimum} to ${maximum}`
    case 'number':
      return `a number above ${exclusiveMinimum}, at most ${maximum}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return 'a list of strings'
    case 'object':
      return properties
        ? `an object with ${Object.keys(properties).join(', ')}`
        : 'an object with a string value for each name'
    default:
      return 'text'
  }
}

/** Formats a value briefly. Prints only the type of an object, because an object may contain a secret. */
function describeValue(value: unknown): string {
  if (Array.isArray(value)) return ', not a list'
  if (isObject(value)) return ''
  if (typeof value === 'function') return ', not a function'
  const text = JSON.stringify(value) ?? String(value)
  return `, not ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function asClause(description: string): string {
  return description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, '')
}

import type { CheckedSchema } from './validator.ts'

/** The keywords of JSON Schema 2020-12 that the spec uses, and the extensions of this project. */
export interface JsonSchema extends CheckedSchema {
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly unevaluatedProperties?: boolean
  readonly writeOnly?: boolean
  readonly items?: JsonSchema
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  /** The known values of a field. Tolerant schemas use `x-known-values` instead of `enum`. */
  readonly 'x-known-values'?: readonly unknown[]
  readonly 'x-source'?: string
  readonly 'x-reading'?: string
  /** The keyword `x-keys` is used only in the schema of the configuration. */
  readonly 'x-keys'?: string
  readonly 'x-values'?: string
  readonly 'x-takes'?: string
}

export function narrowSchema(schema: JsonSchema, by: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const { enum: values, required = [], ...whole } = deref(schema, schemas)
  const inner = Object.entries(by.properties ?? {}).map(([name, part]) => {
    const property = whole.properties?.[name]
    return [name, property ? narrowSchema(property, part, schemas) : part] as const
  })
  return {
    ...whole,
    ...(values && by.const === undefined && { enum: values }),
    ...by,
    required: [...new Set([...required, ...(by.required ?? [])])],
    ...(whole.properties && { properties: { ...whole.properties, ...Object.fromEntries(inner) } }),
  }
}

/** Schemas by name. References look like `#/components/schemas/<name>`. */
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

const REF = /^#\/components\/schemas\/(\w+)$/

/** Returns the schema name in a reference, or undefined. Throws SyntaxError if the reference does not name a schema. */
export function refName({ $ref }: JsonSchema): string | undefined {
  if ($ref === undefined) return undefined
  const name = REF.exec($ref)?.[1]
  if (name === undefined)
    throw new SyntaxError(`Cannot follow "${$ref}": the reference names no schema of the document`)
  return name
}

export function deref(schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const name = refName(schema)
  if (name === undefined) return schema
  const target = schemas[name]
  if (!target) throw new SyntaxError(`Cannot follow a reference to ${name}: unknown schema`)
  return target
}

/** Applies `change` to a schema and all inner schemas, innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (child: JsonSchema) => mapSchema(child, change)
  const { properties, items, allOf, anyOf, oneOf, not, additionalProperties, ...rest } = schema
  return change({
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, inner(part)])),
    }),
    ...(items && { items: inner(items) }),
    ...(allOf && { allOf: allOf.map(inner) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(not && { not: inner(not) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties,
    }),
  })
}

/** Returns the kinds of a union. Empty for a schema with properties: its `oneOf` lists valid combinations of field values. */
export function listKinds({ properties, oneOf = [] }: JsonSchema): readonly JsonSchema[] {
  return properties ? [] : oneOf
}

export function withoutRelations(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ 'x-derived': _, oneOf, allOf, ...part }) => ({
    ...part,
    ...(oneOf && !part.properties && { oneOf }),
    ...(allOf && !part.properties && { allOf }),
  }))
}

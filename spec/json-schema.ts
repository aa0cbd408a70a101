/** The part of JSON Schema 2020-12 that the spec uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly unevaluatedProperties?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly writeOnly?: boolean
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly allOf?: readonly JsonSchema[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly not?: JsonSchema
  /**
   * What values have to be that follow from fields of the same object, by their JSON pointers: text with `{field}` for such a
   * field. Null and what is not there are left to the rest of the schema.
   */
  readonly 'x-derived'?: Readonly<Record<string, string>>
  /** In a tolerant schema: the values that an enumeration had. */
  readonly 'x-known-values'?: readonly unknown[]
  readonly 'x-source'?: string
  readonly 'x-reading'?: string
  /** In the schema of the configuration; see there. */
  readonly 'x-keys'?: string
  readonly 'x-values'?: string
  readonly 'x-takes'?: string
}

/** A schema that is narrowed further by parts of another; `schemas` are those that it refers to. */
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

/** Schemas by name; they refer to each other as `#/components/schemas/<name>`. */
export type JsonSchemas = Readonly<Record<string, JsonSchema>>

const REF = /^#\/components\/schemas\/(\w+)$/

/** The name that a reference points to; undefined if the schema is no reference. Throws SyntaxError for one of another form. */
export function refName({ $ref }: JsonSchema): string | undefined {
  if ($ref === undefined) return undefined
  const name = REF.exec($ref)?.[1]
  if (name === undefined) throw new SyntaxError(`Cannot follow "${$ref}": it names no schema of the document`)
  return name
}

/** The schema itself, or the one that it refers to. */
export function deref(schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const name = refName(schema)
  if (name === undefined) return schema
  const target = schemas[name]
  if (!target) throw new SyntaxError(`Cannot follow a reference to ${name}: unknown schema`)
  return target
}

/** The same schema with `change` applied to it and to every schema within it, innermost first. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (child: JsonSchema) => mapSchema(child, change)
  const { properties, items, allOf, anyOf, oneOf, not, additionalProperties, ...rest } = schema
  return change({
    ...rest,
    ...(properties && { properties: mapValues(properties, inner) }),
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

/** The kinds of which a schema is the union; none if it is an object whose `oneOf` only says which values go together. */
export function listKinds({ properties, oneOf = [] }: JsonSchema): readonly JsonSchema[] {
  return properties ? [] : oneOf
}

/** Without what relates the fields of an object to each other: each field by itself is as it was. */
export function withoutRelations(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ 'x-derived': _, oneOf, allOf, ...part }) => ({
    ...part,
    ...(oneOf && !part.properties && { oneOf }),
    ...(allOf && !part.properties && { allOf }),
  }))
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
}

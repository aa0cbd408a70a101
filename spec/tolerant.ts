import { deref, mapSchema, refName, type JsonSchema, type JsonSchemas } from './json-schema.ts'

const PREFIX = 'Tolerant'

/**
 * The schemas that a receiver should read by: the same fields of the same types, but with room for what the service may add
 * one day, that is unknown fields, unknown values of enumerations, and unknown kinds of a union. The names of the schemas
 * that differ begin with `Tolerant`.
 */
export function relaxSchemas(schemas: JsonSchemas, roots: readonly string[]): Record<string, JsonSchema> {
  const reached = new Set<string>()
  const visit = (name: string): void => {
    const schema = schemas[name]
    if (!schema || reached.has(name)) return
    reached.add(name)
    for (const [, ref] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (ref) visit(ref)
  }
  for (const root of roots) visit(root)

  const relaxed: Record<string, JsonSchema> = {}
  for (const name of reached) {
    const schema = schemas[name] ?? {}
    relaxed[`${PREFIX}${name}`] = { ...relax(schema), title: `${PREFIX}${name}` }
    const other = schema.oneOf ? otherKind(name, schema, schemas) : undefined
    if (!other) continue
    relaxed[`${PREFIX}Other${name}`] = other
    relaxed[`${PREFIX}${name}`] = withOther(relaxed[`${PREFIX}${name}`] ?? {}, name)
  }
  return relaxed
}

/** Without what closes a schema: only types and required fields are left, and the constants that tell kinds apart. */
function relax(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) => {
    const {
      enum: values,
      additionalProperties: _,
      format: __,
      pattern: ___,
      minLength: ____,
      oneOf,
      ...kept
    } = part
    const name = refName(part)
    // What is null in all that the document shows may be anything one day.
    if (part.type === 'null') return { ...(part.description && { description: part.description }) }
    return {
      ...kept,
      ...(name && { $ref: `#/components/schemas/${PREFIX}${name}` }),
      ...(values && { 'x-known-values': values }),
      ...(oneOf && { anyOf: oneOf }),
    }
  })
}

/** What all kinds of a union have in common: how a kind is read that is not known yet. */
function otherKind(name: string, { oneOf = [] }: JsonSchema, schemas: JsonSchemas): JsonSchema | undefined {
  const kinds = oneOf.map((part) => deref(part, schemas)).filter((kind) => kind.properties?.['type'])
  const [first, ...others] = kinds
  if (!first || kinds.length !== oneOf.length) return undefined
  const isCommon = (field: string) => others.every((kind) => kind.required?.includes(field))
  const isSame = (field: string) =>
    others.every(
      (kind) => JSON.stringify(kind.properties?.[field]) === JSON.stringify(first.properties?.[field]),
    )
  const required = (first.required ?? []).filter(isCommon)
  const properties = Object.fromEntries(
    required.map((field) => {
      if (field === 'type' || field === 'type_method') return [field, { type: 'string' }] as const
      return [field, isSame(field) ? relax(first.properties?.[field] ?? {}) : {}] as const
    }),
  )
  const description = `${name} of a kind that is not known yet.`
  return { title: `${PREFIX}Other${name}`, description, type: 'object', required, properties }
}

function withOther(schema: JsonSchema, name: string): JsonSchema {
  return {
    ...schema,
    anyOf: [...(schema.anyOf ?? []), { $ref: `#/components/schemas/${PREFIX}Other${name}` }],
  }
}

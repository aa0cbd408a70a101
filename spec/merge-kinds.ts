import { deref, refName, type JsonSchema, type JsonSchemas } from './json-schema.ts'

/** One object with the fields of all kinds of a union: how an object is read whose kind may be new. Any other schema as it is. */
export function mergeKinds(schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const { oneOf, ...rest } = schema
  if (!oneOf || schema.properties) return schema
  const kinds = oneOf.map((kind) => deref(kind, schemas))
  return { ...rest, type: 'object', properties: mergeFields(kinds, schemas) }
}

function mergeFields(
  objects: readonly JsonSchema[],
  schemas: JsonSchemas,
): NonNullable<JsonSchema['properties']> {
  const merged = new Map<string, JsonSchema>()
  for (const { properties = {} } of objects) {
    for (const [name, field] of Object.entries(properties)) {
      const earlier = merged.get(name)
      merged.set(name, earlier ? mergeValues(earlier, field, schemas) : field)
    }
  }
  return Object.fromEntries(merged)
}

/** A schema for what either of two allows. */
function mergeValues(one: JsonSchema, other: JsonSchema, schemas: JsonSchemas): JsonSchema {
  if (one.type === 'null' || JSON.stringify(one) === JSON.stringify(other)) return other
  if (other.type === 'null') return one
  if (one.$ref !== undefined && refName(one) === refName(other)) return one
  const [a, b] = [deref(one, schemas), deref(other, schemas)]
  const description = one.description ?? a.description
  const said = description === undefined ? {} : { description }
  if (a.properties && b.properties)
    return { ...said, type: 'object', properties: mergeFields([a, b], schemas) }
  const [known, further] = [valuesOf(a), valuesOf(b)]
  return {
    ...said,
    type: [...new Set([a.type ?? [], b.type ?? []].flat())],
    ...(known && further && { enum: [...new Set([...known, ...further])] }),
  }
}

function valuesOf({ enum: values, const: value }: JsonSchema): readonly unknown[] | undefined {
  return values ?? (value === undefined ? undefined : [value])
}

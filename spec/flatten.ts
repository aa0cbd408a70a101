import { deref, refName, type JsonSchema, type JsonSchemas } from './json-schema.ts'

/**
 * Merges closed `allOf` compositions into plain objects, which all tools support. If two `allOf` parts have the same property,
 * the later part must narrow the property.
 */
export function flattenSchemas(schemas: JsonSchemas): Record<string, JsonSchema> {
  const flat = Object.entries(schemas).map(
    ([name, schema]) => [name, flattenSchema(name, schema, schemas)] as const,
  )
  const parts = Object.values(schemas).flatMap(({ allOf = [] }) =>
    allOf.flatMap((part) => refName(part) ?? []),
  )
  return withoutLeftovers(Object.fromEntries(flat), parts)
}

/** Removes schemas that were used only as parts of compositions. Also removes schemas to which only removed schemas refer. */
function withoutLeftovers(schemas: JsonSchemas, candidates: readonly string[]): Record<string, JsonSchema> {
  const whole = JSON.stringify(schemas)
  const gone = candidates.filter((name) => schemas[name] && !whole.includes(`"#/components/schemas/${name}"`))
  if (gone.length === 0) return { ...schemas }
  const further = [
    ...JSON.stringify(gone.map((name) => schemas[name])).matchAll(/"#\/components\/schemas\/(\w+)"/g),
  ]
  const rest = Object.fromEntries(Object.entries(schemas).filter(([name]) => !gone.includes(name)))
  return withoutLeftovers(
    rest,
    further.map(([, name = '']) => name),
  )
}

function flattenSchema(name: string, schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
  const { allOf, unevaluatedProperties, ...rest } = schema
  if (!allOf || unevaluatedProperties !== false) return schema
  const properties = new Map<string, JsonSchema>()
  const required = new Set<string>()
  // An `allOf` part without a type only narrows properties of other parts.
  const narrowing = allOf.filter(({ type, $ref }) => type === undefined && $ref === undefined)
  for (const part of allOf.filter((each) => !narrowing.includes(each))) {
    const resolved = deref(part, schemas)
    for (const property of resolved.required ?? []) required.add(property)
    for (const [property, value] of Object.entries(resolved.properties ?? {})) {
      const earlier = properties.get(property)
      if (earlier && !narrows(value, deref(earlier, schemas))) {
        throw new SyntaxError(`Cannot flatten ${name}: two parts define "${property}" in contradictory ways`)
      }
      properties.set(property, value)
    }
  }
  const order = [...properties.keys()]
  const parts = allOf.map((part) => deref(part, schemas))
  const pairs = parts.flatMap(({ oneOf = [] }) => oneOf)
  const derived = Object.assign({}, ...parts.map((part) => part['x-derived']))
  return {
    ...rest,
    type: 'object',
    additionalProperties: false,
    required: order.filter((property) => required.has(property)),
    properties: Object.fromEntries(properties),
    ...(pairs.length > 0 && { oneOf: pairs }),
    ...(narrowing.length > 0 && { allOf: narrowing.map(({ 'x-derived': _, ...part }) => part) }),
    ...(Object.keys(derived).length > 0 && { 'x-derived': derived }),
  }
}

function narrows(later: JsonSchema, earlier: JsonSchema): boolean {
  const allowed = earlier.enum
  if (later.type !== earlier.type || !allowed) return false
  const values = later.const === undefined ? (later.enum ?? []) : [later.const]
  return values.length > 0 && values.every((value) => allowed.includes(value))
}

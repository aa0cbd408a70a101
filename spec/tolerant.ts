import { deref, type JsonSchema, type JsonSchemas, refName } from './json-schema.ts'

const PREFIX = 'Tolerant'

/**
 * Returns schemas named `Tolerant…`, which require only the type and the id. Other fields can be absent, null or unknown. Ids,
 * integers and fields with digits, such as phone numbers, can be text or numbers.
 */
export function relaxSchemas(schemas: JsonSchemas): Record<string, JsonSchema> {
  const relaxed: Record<string, JsonSchema> = {}
  const reach = (name: string, relaxNamed: Relax): void => {
    const title = `${PREFIX}${name}`
    const schema = schemas[name]
    if (!schema || relaxed[title]) return
    relaxed[title] = {}
    relaxed[title] = { ...relaxNamed(schema, { schemas, reach, place: { name, holder: '' } }), title }
  }
  reach('Notification', relaxBodies)
  // Adds a virtual account's Show response, to which no notification refers. Source: §6.3. Reading: virtual-account-show
  reach('VirtualAccount', relaxObject)
  // The test message contains no object, so its tolerant schema only allows additional unknown fields. Source: §1
  reach('TestMessage', ({ additionalProperties: _, ...rest }) => rest)
  return relaxed
}

type Relax = (schema: JsonSchema, context: Context) => JsonSchema

interface Context {
  readonly schemas: JsonSchemas
  readonly reach: (name: string, relaxNamed: Relax) => void
  readonly place: SchemaLocation
}

interface SchemaLocation {
  readonly name: string
  readonly holder: string
}

function refer(name: string, relaxNamed: Relax, { reach }: Context): JsonSchema {
  reach(name, relaxNamed)
  return { $ref: `#/components/schemas/${PREFIX}${name}` }
}

function relaxBodies(schema: JsonSchema, context: Context): JsonSchema {
  const { oneOf, ...rest } = schema
  if (!oneOf) return relaxBody(schema, context)
  const parts = oneOf.map((part) => refer(refName(part) ?? '', relaxBody, context))
  return { ...rest, anyOf: parts }
}

/** Relaxes the schema of a body, which wraps its object in a type key or has no wrapper. Source: §2.3, §6.3 */
function relaxBody(schema: JsonSchema, context: Context): JsonSchema {
  const { properties = {}, additionalProperties: _, ...rest } = schema
  const type = Object.keys(properties).find((name) => isObject(properties[name] ?? {}, context.schemas))
  const wrapped = type === undefined ? undefined : refName(properties[type] ?? {})
  if (type === undefined || wrapped === undefined) return relaxFlatBody(schema, context)
  const object = refer(wrapped, relaxObject, context)
  return { ...rest, required: [type], properties: { ...relaxFields(properties, context), [type]: object } }
}

function isObject(schema: JsonSchema, schemas: JsonSchemas): boolean {
  const { properties, oneOf, type } = deref(schema, schemas)
  return properties !== undefined || (oneOf !== undefined && type === undefined)
}

/** Relaxes the schema of an unwrapped body. Without a wrapper, the field `name` or `link` identifies the type. Source: §6.3 */
function relaxFlatBody(schema: JsonSchema, context: Context): JsonSchema {
  const signs = ['name', 'link'].flatMap((field): JsonSchema[] => {
    const { type = 'string', const: value, pattern } = schema.properties?.[field] ?? {}
    if (value === undefined && pattern === undefined) return []
    const sign = value === undefined ? { type, pattern: pattern ?? '' } : { type, const: value }
    return [{ type: 'object', required: [field], properties: { [field]: sign } }]
  })
  return { ...relaxObject(schema, context), anyOf: signs }
}

/** Returns the tolerant schema of an object of any kind. Only the id is required. */
function relaxObject(schema: JsonSchema, context: Context): JsonSchema {
  const whole = mergeKinds(schema, context.schemas)
  const { type: _, ...relaxed } = relaxValue(whole, context)
  const id: JsonSchema = {
    type: ['string', 'integer'],
    minLength: 1,
    description: deref(whole.properties?.['id'] ?? {}, context.schemas).description ?? '',
  }
  return { ...relaxed, type: 'object', required: ['id'], properties: { ...relaxed.properties, id } }
}

function relaxValue(schema: JsonSchema, context: Context): JsonSchema {
  const name = refName(schema)
  const { title, description, type, items, properties, const: value } = schema
  const said = { ...(title && { title }), ...(description && { description }) }
  if (name !== undefined) return { ...said, ...refer(name, relaxValue, context) }
  const parts = (schema.oneOf ?? schema.anyOf)?.filter((part) => part.type !== 'null')
  const [part, ...others] = properties ? [] : (parts ?? [])
  if (part) {
    if (others.length > 0) return { ...said, anyOf: parts?.map((each) => relaxValue(each, context)) ?? [] }
    return { ...relaxValue(part, context), ...said }
  }
  const types = [type ?? []].flat().filter((each) => each !== 'null')
  // If a field is always null in the service's document, it can have any value in a later version.
  if (types.length === 0) return said
  const known = schema.enum ?? (value === undefined ? undefined : [value])
  return {
    ...said,
    ...relaxTypes(types, context.place),
    ...(known && { 'x-known-values': known }),
    ...(items && { items: relaxValue(items, context) }),
    ...(properties && { properties: relaxFields(properties, context) }),
  }
}

function relaxFields(
  properties: NonNullable<JsonSchema['properties']>,
  context: Context,
): NonNullable<JsonSchema['properties']> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const place = { name, holder: context.place.name }
      return [name, relaxValue(field, { ...context, place })]
    }),
  )
}

/** The names of fields that contain ids (`ID`) or numbers written as text (`DIGITS`). */
const ID = /(^|_)(id|uuid)$|^Identifier$/

const DIGITS = /(^|_)(phone|mobile|number|postcode|bsb)$|^(numeric_code|debtor_account)$/

/** Returns the types that a tolerant field accepts. All fields of `related` are ids. Source: §2.5, §2.6 */
function relaxTypes(types: readonly string[], { name, holder }: SchemaLocation): JsonSchema {
  const isId = ID.test(name) || holder === 'related'
  const [isText, isNumber] = [types.includes('string'), types.includes('integer')]
  if (isText && (isId || DIGITS.test(name) || isNumber)) return { type: ['string', 'integer', 'null'] }
  if (!isNumber) return { type: [...types, 'null'] }
  return { type: ['integer', 'string', 'null'], ...(!isId && { pattern: '^-?[0-9]+$' }) }
}

/** Merges the kinds of a union into one object, because a body can have an unknown kind. Returns other schemas unchanged. */
function mergeKinds(schema: JsonSchema, schemas: JsonSchemas): JsonSchema {
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

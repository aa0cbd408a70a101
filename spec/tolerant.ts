import { deref, type JsonSchema, type JsonSchemas, refName } from './json-schema.ts'

const PREFIX = 'Tolerant'

/**
 * The schemas that a receiver should read by. Of a body only what tells its type and the object's id are needed; every other
 * field may be absent or null, and fields, values of enumerations and kinds may be new. Ids, phone numbers and the like, and
 * whole numbers may be text or numbers. The names of the schemas begin with `Tolerant`.
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
  // Its Show is another object than its notification. Source: §6.3. Reading: virtual-account-show
  reach('VirtualAccount', relaxObject)
  // What is posted before a URL is registered has no object. Source: §1
  reach('TestMessage', ({ additionalProperties: _, ...rest }) => rest)
  return relaxed
}

type Relax = (schema: JsonSchema, context: Context) => JsonSchema

interface Context {
  readonly schemas: JsonSchemas
  /** Relaxes a named schema, once, whose name is then there to be referred to. */
  readonly reach: (name: string, relaxNamed: Relax) => void
  readonly place: Place
}

/** What a value is called, or its schema, and the object that holds it. */
interface Place {
  readonly name: string
  readonly holder: string
}

function refer(name: string, relaxNamed: Relax, { reach }: Context): JsonSchema {
  reach(name, relaxNamed)
  return { $ref: `#/components/schemas/${PREFIX}${name}` }
}

/** Of one body, or of several that are told apart by what they hold. */
function relaxBodies(schema: JsonSchema, context: Context): JsonSchema {
  const { oneOf, ...rest } = schema
  if (!oneOf) return relaxBody(schema, context)
  const parts = oneOf.map((part) => refer(refName(part) ?? '', relaxBody, context))
  return { ...rest, anyOf: parts }
}

/** A body has an object under its type, or is flat. Source: §2.3, §6.3 */
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

/** Told by its name, or else by its link. Source: §6.3 */
function relaxFlatBody(schema: JsonSchema, context: Context): JsonSchema {
  const signs = ['name', 'link'].flatMap((field): JsonSchema[] => {
    const { type = 'string', const: value, pattern } = schema.properties?.[field] ?? {}
    if (value === undefined && pattern === undefined) return []
    const sign = value === undefined ? { type, pattern: pattern ?? '' } : { type, const: value }
    return [{ type: 'object', required: [field], properties: { [field]: sign } }]
  })
  return { ...relaxObject(schema, context), anyOf: signs }
}

/** An object is known by its id, whatever its kind. */
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

/** Of what a field holds, which may be null. */
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
  // What is null in all that the document shows may be anything one day.
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

/** Names of fields whose text is an id, or a number that is written as text. */
const ID = /(^|_)(id|uuid)$|^Identifier$/

const DIGITS = /(^|_)(phone|mobile|number|postcode|bsb)$|^(numeric_code|debtor_account)$/

/** The fields of `related` are the ids of other objects. Source: §2.5, §2.6 */
function relaxTypes(types: readonly string[], { name, holder }: Place): JsonSchema {
  const isId = ID.test(name) || holder === 'related'
  const [isText, isNumber] = [types.includes('string'), types.includes('integer')]
  if (isText && (isId || DIGITS.test(name) || isNumber)) return { type: ['string', 'integer', 'null'] }
  if (!isNumber) return { type: [...types, 'null'] }
  return { type: ['integer', 'string', 'null'], ...(!isId && { pattern: '^-?[0-9]+$' }) }
}

/** One object with the fields of all kinds of a union: how an object is read whose kind may be new. Any other schema as it is. */
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

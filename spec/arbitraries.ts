import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { NOTIFICATIONS } from './generated/notifications.ts'
import { deref, listKinds, narrowSchema, refName, type JsonSchema } from './json-schema.ts'
import { fillTemplate, valueAt } from './json-values.ts'
import { notifiedTypes, type NotificationByType, type NotifiedType } from './notifications.ts'
import { serviceSchemas } from './schemas.ts'

/** Returns a fast-check generator of random valid notification bodies of one type. The same seed gives the same bodies. */
export function notificationsOf<Type extends NotifiedType>(type: Type): Arbitrary<NotificationByType[Type]> {
  const { schema } = NOTIFICATIONS[type]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the value is generated from the schema of this type
  return fromSchema({ $ref: `#/components/schemas/${schema}` }) as Arbitrary<NotificationByType[Type]>
}

const LATEST = new Date('9999-12-31T23:59:59.999Z')
const EARLIEST = new Date('1970-01-01T00:00:00.000Z')

/** Generators for schemas whose pattern alone does not describe the valid values. */
const MEANT: Readonly<Record<string, () => Arbitrary<unknown>>> = {
  // The id is used in request paths, so it must be valid in a path.
  Identifier: () =>
    fc.oneof(fc.uuid(), fc.stringMatching(/^[1-9]\d{0,9}$/), fc.stringMatching(/^[^\s/?#%]{1,40}$/u)),
  HiddenDate: () => fc.stringMatching(/^encrypted(:[\da-f]{32})?$/),
  Link: () =>
    fc.oneof(
      fc.constant(null),
      fc
        .tuple(fc.constantFrom(...notifiedTypes), fc.uuid(), fc.constantFrom('fees', 'items', 'users'))
        .map((steps) => `/${steps.join('/')}`),
    ),
  Timestamp: () => instants().map((instant) => instant.toISOString()),
  OffsetTimestamp: () =>
    fc
      .constantFrom('+12:00', '+00:00', '-09:30')
      .chain((offset) => instants().map((instant) => instant.toISOString().replace('Z', offset))),
}

function instants(): Arbitrary<Date> {
  return fc.date({ min: EARLIEST, max: LATEST, noInvalidDate: true })
}

function fromSchema(schema: JsonSchema): Arbitrary<unknown> {
  const name = refName(schema)
  const meant = name === undefined ? undefined : MEANT[name]
  if (meant) return meant()
  if (name !== undefined) return fromSchema(deref(schema, serviceSchemas))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const kinds = schema.anyOf ?? listKinds(schema)
  if (kinds.length > 0) return fc.oneof(...kinds.map(fromSchema))
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0)
    throw new SyntaxError(`Cannot draw from a schema without a type: ${JSON.stringify(schema)}`)
  return fc.oneof(...types.map((type) => fromType(type, schema)))
}

function fromType(type: string, schema: JsonSchema): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      // All numbers in the service's API are amounts, codes or ids.
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 2 ** 31 - 1 })
    case 'string':
      return strings(schema)
    case 'array':
      return fc.array(fromSchema(schema.items ?? { type: 'string' }), {
        minLength: schema.minItems ?? 0,
        maxLength: 4,
      })
    case 'object':
      return objects(schema)
    default:
      throw new SyntaxError(`Cannot draw a value of type "${type}"`)
  }
}

function strings({ format, pattern, minLength = 0 }: JsonSchema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return fc.string({ minLength, maxLength: 40 })
}

function objects({ oneOf: pairs = [{}], allOf = [], ...schema }: JsonSchema): Arbitrary<unknown> {
  const narrow = (whole: JsonSchema, part: JsonSchema) => narrowSchema(whole, part, serviceSchemas)
  const narrowed = allOf.reduce(narrow, schema)
  const possible = pairs.filter((pair) => isPossible(pair, schema.properties))
  const derived = Object.entries(schema['x-derived'] ?? {})
  return fc.oneof(...possible.map((pair) => records(narrow(narrowed, pair)))).map((object) => {
    for (const [pointer, template] of derived) deriveValue(object, pointer, template)
    return object
  })
}

function records({ properties = {}, required = [] }: JsonSchema): Arbitrary<object> {
  const model = Object.entries(properties).map(([name, value]) => [name, fromSchema(value)] as const)
  return fc.record(Object.fromEntries(model), { requiredKeys: [...required], noNullPrototype: true })
}

function isPossible({ properties: values = {} }: JsonSchema, properties: JsonSchema['properties'] = {}) {
  return Object.entries(values).every(([name, { const: value }]) => {
    const { enum: allowed } = deref(properties[name] ?? {}, serviceSchemas)
    return value === undefined || !allowed || allowed.includes(value)
  })
}

function deriveValue(object: object, pointer: string, template: string): void {
  const [steps, last] = [pointer.split('/').slice(0, -1).join('/'), pointer.split('/').at(-1) ?? '']
  const holder = valueAt(object, steps)
  if (typeof holder !== 'object' || holder === null || typeof Reflect.get(holder, last) !== 'string') return
  Reflect.set(holder, last, fillTemplate(template, object))
}

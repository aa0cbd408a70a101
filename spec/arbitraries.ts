import {
  array,
  boolean,
  constant,
  constantFrom,
  date,
  integer,
  oneof,
  record,
  string,
  stringMatching,
  uuid,
} from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { NOTIFICATIONS } from './generated/notifications.ts'
import { deref, refName, type JsonSchema } from './json-schema.ts'
import type { NotificationByType, NotifiedType } from './notifications.ts'
import { serviceSchemas } from './schemas.ts'

/** Bodies of one type, each valid by the strict spec; draw them with a seed to get the same ones again. */
export function notificationsOf<Type extends NotifiedType>(type: Type): Arbitrary<NotificationByType[Type]> {
  const { schema } = NOTIFICATIONS[type]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- drawn from the schema of this very type
  return fromSchema({ $ref: `#/components/schemas/${schema}` }) as Arbitrary<NotificationByType[Type]>
}

const LATEST = new Date('9999-12-31T23:59:59.999Z')
const EARLIEST = new Date('1970-01-01T00:00:00.000Z')

/** Schemas whose values have a meaning that their pattern alone would not give. */
const MEANT: Readonly<Record<string, () => Arbitrary<unknown>>> = {
  Timestamp: () => instants().map((instant) => instant.toISOString()),
  OffsetTimestamp: () =>
    constantFrom('+12:00', '+00:00', '-09:30').chain((offset) =>
      instants().map((instant) => instant.toISOString().replace('Z', offset)),
    ),
}

function instants(): Arbitrary<Date> {
  return date({ min: EARLIEST, max: LATEST, noInvalidDate: true })
}

function fromSchema(schema: JsonSchema): Arbitrary<unknown> {
  const name = refName(schema)
  const meant = name === undefined ? undefined : MEANT[name]
  if (meant) return meant()
  if (name !== undefined) return fromSchema(deref(schema, serviceSchemas))
  if (schema.const !== undefined) return constant(schema.const)
  if (schema.enum) return constantFrom(...schema.enum)
  const kinds = schema.oneOf ?? schema.anyOf
  if (kinds) return oneof(...kinds.map(fromSchema))
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0)
    throw new SyntaxError(`Cannot draw from a schema without a type: ${JSON.stringify(schema)}`)
  return oneof(...types.map((type) => fromType(type, schema)))
}

function fromType(type: string, schema: JsonSchema): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return constant(null)
    case 'boolean':
      return boolean()
    case 'integer':
      return integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 - 1 })
    case 'string':
      return strings(schema)
    case 'array':
      return array(fromSchema(schema.items ?? { type: 'string' }), { maxLength: 4 })
    case 'object':
      return objects(schema)
    default:
      throw new SyntaxError(`Cannot draw a value of type "${type}"`)
  }
}

function strings({ format, pattern, minLength = 0 }: JsonSchema): Arbitrary<string> {
  if (format === 'uuid') return uuid()
  if (pattern !== undefined) return stringMatching(new RegExp(pattern))
  return string({ minLength, maxLength: 40 })
}

function objects({ properties = {}, required = [] }: JsonSchema): Arbitrary<unknown> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, fromSchema(value)]),
  )
  return record(model, { requiredKeys: [...required], noNullPrototype: true })
}

import { MODELS } from '../../spec/generated/models.ts'
import { deref, type JsonSchema } from '../../spec/json-schema.ts'
import { isNotifiedType, notifiedTypes } from '../../spec/notifications.ts'
import { serviceSchemas } from '../../spec/schemas.ts'
import { parsePairs, toFieldValue, type TextFields, type TextKind } from './field-pairs.ts'

/** Throws RangeError for an invalid pair. */
export function parseFields(type: string, pairs: readonly string[]): Record<string, unknown> {
  return parsePairs(pairs, (key) => textKind(type, key))
}

export function parseValue(type: string, key: string, text: string): unknown {
  return toFieldValue(textKind(type, key), text)
}

export function listTextFields(): TextFields {
  return Object.fromEntries(
    notifiedTypes.map((type) => {
      const names = new Set(variantsOf(type).flatMap(({ properties }) => Object.keys(properties ?? {})))
      const kinds = [...names].map((name) => [name, textKind(type, name)] as const)
      return [type, Object.fromEntries(kinds.filter(([, kind]) => kind !== 'other'))]
    }),
  )
}

function textKind(type: string, field: string): TextKind {
  const types = variantsOf(type).flatMap(({ properties }) => jsonTypes(properties?.[field]))
  if (!types.includes('string') || types.some((each) => each !== 'string' && each !== 'null')) return 'other'
  return types.includes('null') ? 'text-or-null' : 'text'
}

function variantsOf(type: string): readonly JsonSchema[] {
  return isNotifiedType(type) ? listVariants(serviceSchemas[MODELS[type].schema] ?? {}) : []
}

function listVariants(schema: JsonSchema): readonly JsonSchema[] {
  const { oneOf, anyOf, ...rest } = deref(schema, serviceSchemas)
  return [rest, ...[...(oneOf ?? []), ...(anyOf ?? [])].flatMap(listVariants)]
}

function jsonTypes(field: JsonSchema | undefined): readonly string[] {
  return field === undefined ? [] : listVariants(field).flatMap(({ type = [] }) => type)
}

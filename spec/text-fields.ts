import { MODELS } from './generated/models.ts'
import { deref, type JsonSchema } from './json-schema.ts'
import { isNotifiedType } from './notifications.ts'
import { serviceSchemas } from './schemas.ts'

/** What a field takes that is written down as text: only text, text or nothing, or something else too. */
export type TextKind = 'text' | 'text-or-null' | 'other'

/** Whether a field of an object is text, in every kind of the type that has it. What is unknown may be anything. */
export function textKind(type: string, field: string): TextKind {
  const schema = isNotifiedType(type) ? serviceSchemas[MODELS[type].schema] : undefined
  const types = schema ? kindsOf(schema).flatMap(({ properties }) => typesOf(properties?.[field])) : []
  if (!types.includes('string') || types.some((each) => each !== 'string' && each !== 'null')) return 'other'
  return types.includes('null') ? 'text-or-null' : 'text'
}

/** A schema itself, or the schemas of which it is a union. */
function kindsOf(schema: JsonSchema): readonly JsonSchema[] {
  const { oneOf, anyOf, ...rest } = deref(schema, serviceSchemas)
  return [rest, ...[...(oneOf ?? []), ...(anyOf ?? [])].flatMap(kindsOf)]
}

function typesOf(field: JsonSchema | undefined): readonly string[] {
  return field === undefined ? [] : kindsOf(field).flatMap(({ type = [] }) => type)
}

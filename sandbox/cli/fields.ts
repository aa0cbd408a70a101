import { MODELS } from '../../spec/generated/models.ts'
import { deref, type JsonSchema } from '../../spec/json-schema.ts'
import { isNotifiedType } from '../../spec/notifications.ts'
import { serviceSchemas } from '../../spec/schemas.ts'
import { UsageError } from './failure.ts'

/** `key=value key:=json …` as the fields of an object of the type. Throws UsageError with the remedy. */
export function parseFields(type: string, pairs: readonly string[]): Record<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const pair of pairs) {
    const { key, sign, text } = /^(?<key>[^=:]+)(?<sign>:?=)(?<text>.*)$/s.exec(pair)?.groups ?? {}
    if (key === undefined || text === undefined) {
      throw new UsageError(`Cannot read field "${pair}": write it as key=value, or key:=json`)
    }
    if (fields.has(key)) throw new UsageError(`Cannot read field "${pair}": "${key}" is given twice`)
    fields.set(key, sign === ':=' ? parseJson(pair, text) : parseValue(type, key, text))
  }
  return Object.fromEntries(fields)
}

/** A value as it is written for a field: text where the field is text. */
export function parseValue(type: string, key: string, text: string): unknown {
  const takes = textKind(type, key)
  if (takes === 'text') return text
  if (takes === 'text-or-null') return text === 'null' ? null : text
  return /^(-?(0|[1-9]\d*)(\.\d+)?|true|false|null)$/.test(text) ? JSON.parse(text) : text
}

/** What follows `:=`. Throws UsageError with the remedy. */
export function parseJson(pair: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`Cannot read field "${pair}": what follows ":=" is not JSON (${detail})`, { cause })
  }
}

/** What a field takes that is written down as text: only text, text or nothing, or something else too. */
type TextKind = 'text' | 'text-or-null' | 'other'

/** Whether a field of an object is text, in every kind of the type that has it. What is unknown may be anything. */
function textKind(type: string, field: string): TextKind {
  const schema = isNotifiedType(type) ? serviceSchemas[MODELS[type].schema] : undefined
  const types = schema ? listVariants(schema).flatMap(({ properties }) => jsonTypes(properties?.[field])) : []
  if (!types.includes('string') || types.some((each) => each !== 'string' && each !== 'null')) return 'other'
  return types.includes('null') ? 'text-or-null' : 'text'
}

/** A schema itself, or the schemas of which it is a union. */
function listVariants(schema: JsonSchema): readonly JsonSchema[] {
  const { oneOf, anyOf, ...rest } = deref(schema, serviceSchemas)
  return [rest, ...[...(oneOf ?? []), ...(anyOf ?? [])].flatMap(listVariants)]
}

function jsonTypes(field: JsonSchema | undefined): readonly string[] {
  return field === undefined ? [] : listVariants(field).flatMap(({ type = [] }) => type)
}

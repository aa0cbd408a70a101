import { toPrintableJson } from './short-text.ts'

export interface JsonChange {
  /** The path of the changed field, such as `items.fees[0].amount`. Empty if the whole value changed. */
  readonly path: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Returns the differing fields of two JSON texts, in the order of the first text. Returns undefined if one of the texts is not JSON. */
export function diffJson(before: string, after: string): readonly JsonChange[] | undefined {
  const [first, second] = [parse(before), parse(after)]
  return first && second ? diffValues('', first.value, second.value) : undefined
}

function diffValues(path: string, before: unknown, after: unknown): readonly JsonChange[] {
  const [fields, others] = [fieldsOf(before), fieldsOf(after)]
  if (fields && others && Array.isArray(before) === Array.isArray(after)) {
    const isList = Array.isArray(before)
    return [...new Set([...fields.keys(), ...others.keys()])].flatMap((name) =>
      diffValues(join(path, name, isList), fields.get(name), others.get(name)),
    )
  }
  const [printed, other] = [print(before), print(after)]
  return printed === other ? [] : [{ path, before: printed, after: other }]
}

/** Returns a value's own fields as a map, because a field may be named `__proto__`. */
function fieldsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
}

function join(path: string, name: string, isIndex: boolean): string {
  if (isIndex) return `${path}[${name}]`
  const word = /^[\w-]+$/.test(name) ? name : toPrintableJson(name)
  return path === '' ? word : `${path}.${word}`
}

function print(value: unknown): string | undefined {
  return value === undefined ? undefined : toPrintableJson(value)
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

import type { compile } from 'json-schema-to-typescript'
import type { SpecDocument } from '../spec/document.ts'

type StandaloneSchema = Exclude<Parameters<typeof compile>[0], undefined>

/** The document's schemas as one JSON Schema: an object with a property for each, references within it. */
export function standaloneSchema({ schemas }: SpecDocument, title: string): StandaloneSchema {
  const names = Object.keys(schemas).toSorted()
  return {
    title,
    type: 'object',
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: Object.fromEntries(names.map((name) => [name, plain(schemas[name])])),
  }
}

/** Without our own `x-` keywords and with references to `$defs`. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, child]) => [
        key,
        key === '$ref' ? String(child).replace('#/components/schemas/', '#/$defs/') : plain(child),
      ]),
  )
}

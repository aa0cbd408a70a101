import type { compile } from 'json-schema-to-typescript'
import { mapSchema, type JsonSchema, type JsonSchemas } from '../spec/json-schema.ts'

type StandaloneSchema = Exclude<Parameters<typeof compile>[0], undefined>

/** The schemas as one JSON Schema: an object with a property for each, references within it. */
export function standaloneSchema(schemas: JsonSchemas, title: string): StandaloneSchema {
  const names = Object.keys(schemas).toSorted()
  return {
    title,
    type: 'object',
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: Object.fromEntries(names.map((name) => [name, plain(schemas[name] ?? {}, '#/$defs/')])),
  }
}

/** Without our own `x-` keywords, and with references that begin with `prefix`. */
export function plain(schema: JsonSchema, prefix: string): JsonSchema {
  return mapSchema(schema, (part) => {
    const { $ref, ...kept } = Object.fromEntries(
      Object.entries(part).filter(([key]) => !key.startsWith('x-')),
    )
    return typeof $ref === 'string' ? { ...kept, $ref: $ref.replace('#/components/schemas/', prefix) } : kept
  })
}

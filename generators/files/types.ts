import { compile } from 'json-schema-to-typescript'
import { mapSchema, withoutRelations, type JsonSchema, type JsonSchemas } from '../../spec/json-schema.ts'
import { generatedFile, type GeneratedFile } from '../generated-file.ts'
import { withoutExtensions } from '../views/document.ts'

export async function typesFile(schemas: JsonSchemas, name: string): Promise<GeneratedFile> {
  return generatedFile(import.meta.url, `spec/generated/${name}.ts`, [await typesText(schemas, 'Schemas')])
}

export async function typesText(schemas: JsonSchemas, list: string): Promise<string> {
  const typed = Object.fromEntries(
    Object.entries(schemas).map(([schema, value]) => [schema, mapSchema(withoutRelations(value), asTyped)]),
  )
  const text = await compile(standaloneSchema(typed, list), list, {
    bannerComment: '',
    // Allows no undeclared fields. By default, the generated types would accept any field.
    additionalProperties: false,
    unknownAny: true,
    style: { semi: false, singleQuote: true, printWidth: 110, trailingComma: 'all' },
  })
  const missing = Object.keys(schemas).filter(
    (schema) => !new RegExp(`^export (type|interface) ${schema}\\b`, 'm').test(text),
  )
  if (missing.length > 0)
    throw new SyntaxError(`Cannot generate types: the result has no type for ${missing.join(', ')}`)
  return readonlyProperties(text).trimEnd()
}

/** Adapts a schema for json-schema-to-typescript. Keeps descriptions next to references, and allows unknown enum values. */
function asTyped(schema: JsonSchema): JsonSchema & { readonly tsType?: string } {
  const { minItems, anyOf, ...open } = schema
  // Omits an `anyOf` next to `properties`, because it restricts only values, not types.
  if (schema.properties && anyOf) return asTyped(open)
  // Removes `minItems`, because the library cannot convert a tuple of open length into a readonly array.
  if (minItems !== undefined && schema.maxItems === undefined)
    return asTyped({ ...open, ...(anyOf && { anyOf }) })
  const { $ref, 'x-known-values': values, ...rest } = schema
  const isPlain = Object.keys(rest).every((key) => key === 'title' || key === 'description')
  if ($ref !== undefined) return isPlain && !rest.description ? schema : { ...rest, allOf: [{ $ref }] }
  if (isPlain) return { ...rest, tsType: 'unknown' }
  const types = new Set([schema.type ?? []].flat())
  if (!values || !types.has('string') || types.has('integer')) return schema
  const known = values.map((value) => JSON.stringify(String(value)))
  return {
    ...rest,
    tsType: [...known, '(string & {})', ...(types.has('null') ? ['null'] : [])].join(' | '),
  }
}

function readonlyProperties(text: string): string {
  return text
    .replaceAll(/^( +)(["'\w$.-]+\??:( |$))/gm, '$1readonly $2')
    .replaceAll(/^( +)(\[k: string\]: )/gm, '$1readonly $2')
    .replaceAll(/(: |\| )((?:\w+|\([^()]+\))\[\])/g, '$1readonly $2')
}

type StandaloneSchema = Exclude<Parameters<typeof compile>[0], undefined>

function standaloneSchema(schemas: JsonSchemas, title: string): StandaloneSchema {
  const names = Object.keys(schemas).toSorted()
  return {
    title,
    description: 'Each type by its name.',
    type: 'object',
    additionalProperties: false,
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: Object.fromEntries(
      names.map((name) => [name, withoutExtensions(schemas[name] ?? {}, '#/$defs/')]),
    ),
  }
}

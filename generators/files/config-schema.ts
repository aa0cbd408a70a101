import { mapSchema, type JsonSchema, type JsonSchemas } from '../../spec/json-schema.ts'
import type { Reading } from '../../spec/readings.ts'
import { formatLiteral, generatedFile, type GeneratedFile } from '../generated-file.ts'
import { withReferences } from '../views/document.ts'
import { typesFile } from './types.ts'

type KeyLists = Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>

interface ConfigDocument extends JsonSchema {
  readonly $schema: string
  readonly $defs: JsonSchemas
}

export async function configFiles(document: ConfigDocument, lists: KeyLists): Promise<GeneratedFile[]> {
  const { $schema: _, title: __, $defs, ...root } = document
  const fill = (schema: JsonSchema) =>
    withReferences(
      mapSchema(schema, (part) => fillKeys(part, lists)),
      '#/components/schemas/',
      '#/$defs/',
    )
  const parts = Object.entries($defs).map(([name, schema]) => [name, fill(schema)] as const)
  const schemas: JsonSchemas = { ConfigFile: fill(root), ...Object.fromEntries(parts) }
  return [editorSchemaFile(document, schemas), configData(schemas), await typesFile(schemas, 'config-types')]
}

function fillKeys(schema: JsonSchema, lists: KeyLists): JsonSchema {
  const { 'x-keys': keys, 'x-values': values, additionalProperties, ...rest } = schema
  if (values !== undefined) return { ...rest, enum: Object.keys(findList(values, lists)) }
  if (keys === undefined) return schema
  const each = typeof additionalProperties === 'object' ? additionalProperties : {}
  const found = Object.entries(findList(keys, lists)).map(([key, own]) => [key, { ...each, ...own }])
  return {
    ...rest,
    additionalProperties: false,
    properties: { ...rest.properties, ...Object.fromEntries(found) },
  }
}

function findList(name: string, lists: KeyLists): Readonly<Record<string, JsonSchema>> {
  const list = lists[name]
  if (!list) throw new SyntaxError(`Cannot fill in "${name}": unknown list`)
  return list
}

export function readingSchemas(readings: readonly Reading[]): Readonly<Record<string, JsonSchema>> {
  const settings = readings.filter(({ kind }) => kind !== 'shape')
  return Object.fromEntries(
    settings.map(({ id, kind, about, options = {}, default: fallback }) => {
      const choices = Object.entries(options).map(([option, meaning]) => `${option}: ${meaning}`)
      const description = [about, ...choices].join('\n')
      const values = kind === 'choice' ? { enum: Object.keys(options) } : {}
      return [id, { description, type: 'string', ...values, default: fallback }]
    }),
  )
}

function editorSchemaFile({ $schema, title }: ConfigDocument, schemas: JsonSchemas): GeneratedFile {
  const { ConfigFile: root, ...parts } = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, mapSchema(schema, toEditorSchema)]),
  )
  return {
    path: 'spec/generated/config.schema.json',
    text: `${JSON.stringify({ $schema, title, ...root, $defs: parts }, null, 2)}\n`,
  }
}

function toEditorSchema({ $ref, 'x-takes': takes, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...($ref !== undefined && { $ref: $ref.replace('#/components/schemas/', '#/$defs/') }),
    ...(schema.pattern !== undefined && takes !== undefined && { patternErrorMessage: `It takes ${takes}` }),
  }
}

function configData(schemas: JsonSchemas): GeneratedFile {
  const entries = Object.entries(schemas['ConfigFile']?.properties ?? {})
  const defaults = entries.flatMap(([key, schema]) => ('default' in schema ? [[key, schema.default]] : []))
  return generatedFile(import.meta.url, 'spec/generated/config-schemas.ts', [
    `import type { JsonSchemas } from '../json-schema.ts'`,
    '',
    `export const CONFIG_DEFAULTS = ${formatLiteral(Object.fromEntries(defaults))} as const`,
    '',
    `export const CONFIG_SCHEMAS: JsonSchemas = ${formatLiteral(schemas)}`,
  ])
}

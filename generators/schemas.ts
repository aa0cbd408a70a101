import { mapSchema, type JsonSchemas } from '../spec/json-schema.ts'
import { generatedFile, literal, type GeneratedFile } from './generated-file.ts'

const REF = /"#\/components\/schemas\/(\w+)"/g

/** The schemas that the roots reach, as data: what arbitrary bodies are drawn from. */
export function schemaData(schemas: JsonSchemas, roots: readonly string[]): GeneratedFile {
  const reached = new Set<string>()
  const visit = (name: string): void => {
    const schema = schemas[name]
    if (!schema || reached.has(name)) return
    reached.add(name)
    for (const [, ref = ''] of JSON.stringify(schema).matchAll(REF)) visit(ref)
  }
  for (const root of roots) visit(root)
  const plain = [...reached]
    .toSorted()
    .map((name) => [name, mapSchema(schemas[name] ?? {}, withoutWords)] as const)
  return generatedFile(import.meta.url, 'spec/generated/schemas.ts', [
    `import type { JsonSchemas } from '../json-schema.ts'`,
    '',
    `export const SCHEMAS: JsonSchemas = ${literal(Object.fromEntries(plain))}`,
  ])
}

/** Without what only people read. */
function withoutWords(schema: object): object {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([key]) => key !== 'title' && key !== 'description' && !key.startsWith('x-'),
    ),
  )
}

import { mapSchema, refName, type JsonSchema, type JsonSchemas } from '../../spec/json-schema.ts'
import { withoutExtensions } from '../views/document.ts'
import { formatMark, type PlatformFile } from './platform-file.ts'
import type { Wording } from './wording.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

/** Writes a schema file for each notification, for each object, and for the test message. Receivers use the files in `tolerant/`. */
export function jsonSchemaFiles({ strict, tolerant, notifications }: Wording): PlatformFile[] {
  const objects = notifications.map(([, { object }]) => object)
  const wrappers = Object.keys(strict).filter((name) => name.endsWith('Notification'))
  // A body with a single property is a wrapper around the object in that property.
  const wrapped = wrappers.flatMap((name) => {
    const [only, ...others] = Object.values(strict[name]?.properties ?? {})
    return only && others.length === 0 ? (refName(only) ?? []) : []
  })
  const names = [...new Set([...wrappers, ...objects, ...wrapped, 'TestMessage'])]
  return names
    .flatMap((name) => {
      const path = `${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.schema.json`
      const reading = `Tolerant${name}`
      return [
        { path, text: schemaText(name, strict) },
        ...(tolerant[reading] ? [{ path: `tolerant/${path}`, text: schemaText(reading, tolerant) }] : []),
      ]
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

function schemaText(name: string, schemas: JsonSchemas): string {
  const { title, description, ...rest } = standalone(name, schemas)
  const $defs = Object.fromEntries(
    listReferences(name, schemas).map((each) => [each, standalone(each, schemas)] as const),
  )
  const whole = {
    $schema: DIALECT,
    $comment: formatMark('json-schema'),
    title,
    description,
    ...rest,
    ...(Object.keys($defs).length === 0 ? {} : { $defs }),
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

function standalone(name: string, schemas: JsonSchemas): JsonSchema {
  const known = mapSchema(schemas[name] ?? {}, ({ 'x-known-values': values, ...schema }) =>
    values ? { ...schema, examples: values } : schema,
  )
  return withoutExtensions(known, '#/$defs/')
}

function listReferences(root: string, schemas: JsonSchemas): string[] {
  const reached = new Set<string>()
  const visit = (name: string): void => {
    for (const [, ref = ''] of JSON.stringify(schemas[name] ?? {}).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (reached.has(ref)) continue
      reached.add(ref)
      visit(ref)
    }
  }
  visit(root)
  return [...reached].toSorted()
}

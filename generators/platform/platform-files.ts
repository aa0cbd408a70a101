import type { OpenAPIObject } from 'openapi3-ts/oas31'
import type { Vocabulary } from '../../spec/vocabulary.ts'
import { parseDocument, withoutExtensions, withReferences, withoutAnnotations } from '../views/document.ts'
import { createWording, type Wording } from './wording.ts'
import { mapSchema, refName, type JsonSchema, type JsonSchemas } from '../../spec/json-schema.ts'
import { readSource } from '../../spec/document.ts'
import { EARLIER_ABOUT, notificationTypes } from '../files/notifications.ts'
import { typesText } from '../files/types.ts'
import { formatLiteral } from '../generated-file.ts'

export interface PlatformOptions {
  readonly language: Language
  readonly vocabulary?: Vocabulary
}

/** Throws RangeError for an invalid vocabulary. */
export async function platformFiles(
  openapi: OpenAPIObject,
  { language, vocabulary = {} }: PlatformOptions,
): Promise<PlatformFile[]> {
  const wording = createWording(parseDocument(openapi), vocabulary)
  switch (language) {
    case 'ts':
      return typescriptFiles(wording)
    case 'json-schema':
      return jsonSchemaFiles(wording)
    case 'openapi':
      return openapiFiles(wording)
    default:
      return language satisfies never
  }
}

function openapiFiles({ openapi }: Wording): PlatformFile[] {
  const { openapi: version, 'x-note': _, ...rest } = openapi
  const text = JSON.stringify({ openapi: version, 'x-note': formatMark('openapi'), ...rest }, null, 2)
  return [{ path: 'openapi.json', text: `${text}\n` }]
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

function jsonSchemaFiles({ strict, tolerant, notifications }: Wording): PlatformFile[] {
  const objects = notifications.map(([, { object }]) => object)
  const wrappers = Object.keys(strict).filter((name) => name.endsWith('Notification'))
  // A body schema with a single property is a wrapper around the object in this property.
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

const HEADER = [`// ${formatMark('ts')}`, '/* eslint-disable */', '']

/** Generates files that import only types from each other, so that compilers, bundlers and type stripping can process them. */
async function typescriptFiles(wording: Wording): Promise<PlatformFile[]> {
  const [strict, tolerant] = [
    await typesText(wording.strict, 'Schemas'),
    await typesText(wording.tolerant, 'TolerantSchemas'),
  ]
  return [
    { path: 'index.ts', text: [...HEADER, ...indexLines(wording), ''].join('\n') },
    { path: 'tolerant-types.ts', text: [...HEADER, tolerant, ''].join('\n') },
    { path: 'types.ts', text: [...HEADER, strict, ''].join('\n') },
  ]
}

function indexLines({ strict, tolerant, notifications, earlier }: Wording): string[] {
  const [rows, earlierRows] = [notifications, earlier].map((each) =>
    Object.fromEntries(each.map(([type, { object: _, ...signs }]) => [type, signs])),
  )
  const named = notifications.flatMap(([, { schema, object }]) => [schema, object])
  return [
    'import type {',
    ...[...new Set([...named, 'Schemas', 'TestMessage'])].toSorted().map((name) => `  ${name},`),
    `} from './types.js'`,
    `import type { TolerantSchemas } from './tolerant-types.js'`,
    '',
    `export type * from './types.js'`,
    `export type * from './tolerant-types.js'`,
    '',
    ...sourceLines('parse-notification'),
    '',
    '/** The fields by which each notification is recognized. */',
    `const NOTIFICATIONS = ${formatLiteral(rows)} as const`,
    '',
    `/** ${EARLIER_ABOUT} */`,
    `const EARLIER_NOTIFICATIONS = ${formatLiteral(earlierRows)} as const`,
    '',
    ...notificationTypes(notifications),
    '',
    ...inner('kinds'),
    '',
    ...sourceLines('validator'),
    '',
    `const STRICT: Readonly<Record<string, CheckedSchema>> = ${dataText(strict)}`,
    '',
    '/** Strict validators for the bodies and requests of the service, by schema. */',
    'export const validators: Validators<Schemas> = createValidators<Schemas>(STRICT)',
    '',
    `const TOLERANT: Readonly<Record<string, CheckedSchema>> = ${dataText(tolerant)}`,
    '',
    '/** Validators for receivers, which also accept unknown fields, states and kinds. */',
    'export const tolerantValidators: Validators<TolerantSchemas> = createValidators<TolerantSchemas>(TOLERANT)',
    '',
    ...inner('schema-validator'),
    '',
    ...inner('schema-check'),
    '',
    ...inner('json-values'),
  ]
}

const IMPORT = /^import [^]*? from '[^']+'\n/gm
const NOTE_TO_LINTER = /^ *\/\/ oxlint-[^\n]*\n/gm

function sourceLines(name: string): string[] {
  const text = readSource(`${name}.ts`).replaceAll(IMPORT, '').replaceAll(NOTE_TO_LINTER, '').trim()
  if (/\bfrom '/.test(text)) throw new SyntaxError(`Cannot put ${name} into one file: an import is left`)
  return text.split('\n')
}

function inner(name: string): string[] {
  return sourceLines(name).map((line) => line.replace(/^export /, ''))
}

function dataText(schemas: JsonSchemas): string {
  const checked = Object.keys(schemas)
    .toSorted()
    .map((name) => [name, withoutAnnotations(withReferences(schemas[name] ?? {}, ''))] as const)
  return formatLiteral(Object.fromEntries(checked))
}

export const LANGUAGES = ['ts', 'json-schema', 'openapi'] as const

export type Language = (typeof LANGUAGES)[number]

export interface PlatformFile {
  /** The path of the file, relative to the output folder, with `/` as separator. */
  readonly path: string
  readonly text: string
}

/** Returns the marker that identifies a generated file. Files without this mark are never overwritten or removed. */
export function formatMark(language: Language): string {
  return `Generated by hookbench generate --lang ${language}. Do not edit: run it again.`
}

export function readMark(text: string): Language | undefined {
  const head = text.slice(0, 1_000)
  return LANGUAGES.find((language) => {
    if (language === 'ts') return head.startsWith(`// ${formatMark(language)}\n`)
    const key = language === 'openapi' ? 'x-note' : '$comment'
    return head.startsWith('{\n') && head.includes(`\n  "${key}": ${JSON.stringify(formatMark(language))},\n`)
  })
}

import { readSource } from '../../spec/document.ts'
import type { JsonSchemas } from '../../spec/json-schema.ts'
import { EARLIER_ABOUT, notificationTypes } from '../files/notifications.ts'
import { typesText } from '../files/types.ts'
import { formatLiteral } from '../generated-file.ts'
import { withReferences, withoutAnnotations } from '../views/document.ts'
import { formatMark, type PlatformFile } from './platform-file.ts'
import type { Wording } from './wording.ts'

const HEADER = [`// ${formatMark('ts')}`, '/* eslint-disable */', '']

/**
 * Writes types, validators and a parser without dependencies. The files import only types from each other, so they work compiled,
 * bundled, or with type stripping.
 */
export async function typescriptFiles(wording: Wording): Promise<PlatformFile[]> {
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
    '/** The signs of each notification. */',
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
    '/** Validators for exactly the bodies and requests of the service, by schema. */',
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

/** Returns a source file of `spec/` without its imports. */
function sourceLines(name: string): string[] {
  const text = readSource(`${name}.ts`).replaceAll(IMPORT, '').replaceAll(NOTE_TO_LINTER, '').trim()
  if (/\bfrom '/.test(text)) throw new SyntaxError(`Cannot put ${name} into one file: an import is left`)
  return text.split('\n')
}

function inner(name: string): string[] {
  return sourceLines(name).map((line) => line.replace(/^export /, ''))
}

/** Returns the schemas without annotations. Replaces a reference with the name of its schema. */
function dataText(schemas: JsonSchemas): string {
  const checked = Object.keys(schemas)
    .toSorted()
    .map((name) => [name, withoutAnnotations(withReferences(schemas[name] ?? {}, ''))] as const)
  return formatLiteral(Object.fromEntries(checked))
}

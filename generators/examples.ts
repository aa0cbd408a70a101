import { generatedFile, literal, type GeneratedFile } from './generated-file.ts'

/** A golden body as its file has it; `name` is the file's. */
export interface Example {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The golden bodies as constants, in the order of their names. */
export function examples(bodies: readonly Example[]): GeneratedFile {
  const rows = bodies.map(({ name, body }) => {
    const [type] = Object.keys(body)
    return { name, type, body }
  })
  return generatedFile(import.meta.url, 'spec/generated/examples.ts', [
    `import type { Notification } from './service-types.ts'`,
    `import type { NotifiedType } from './notifications.ts'`,
    '',
    'export interface Example {',
    '  readonly name: string',
    '  readonly type: NotifiedType',
    '  readonly body: Notification',
    '}',
    '',
    `export const EXAMPLES: readonly Example[] = ${literal(rows)}`,
  ])
}

import { generatedFile, literal, type GeneratedFile } from './generated-file.ts'

/** A golden body as its file has it; `name` is the file's. */
export interface Example {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The golden bodies as constants, in the order of their names. */
export function examples(bodies: readonly Example[]): GeneratedFile {
  const rows = bodies.map(({ name, body }) => {
    const type = body['name'] === 'virtual_accounts' ? 'virtual_accounts' : Object.keys(body)[0]
    return { name, type, body }
  })
  return generatedFile(import.meta.url, 'spec/generated/examples.ts', [
    `import type { NotificationByType, NotifiedType } from './notifications.ts'`,
    '',
    'export type Example = { readonly [Type in NotifiedType]: ExampleOf<Type> }[NotifiedType]',
    '',
    'export interface ExampleOf<Type extends NotifiedType> {',
    '  readonly name: string',
    '  readonly type: Type',
    '  readonly body: NotificationByType[Type]',
    '}',
    '',
    `export const EXAMPLES: readonly Example[] = ${literal(rows)}`,
  ])
}

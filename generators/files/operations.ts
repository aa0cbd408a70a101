import type { SpecDocument } from '../../spec/document.ts'
import { formatLiteral, generatedFile, type GeneratedFile } from '../generated-file.ts'
import { operationRows, type OperationView } from '../views/operation-rows.ts'

export function operationsFile(document: SpecDocument, name: string): GeneratedFile {
  const rows = operationRows(document)
  const schemas = [
    ...new Set(rows.flatMap(({ body, success }) => [...(body ? [body.schema] : []), ...success])),
  ].toSorted()
  const table = Object.fromEntries(rows.map(({ success: _, ...rest }) => [rest.id, rest]))

  return generatedFile(import.meta.url, `spec/generated/${name}-operations.ts`, [
    `import type { OperationRow } from '../rows.ts'`,
    `import type { ${schemas.join(', ')} } from './${name}-types.ts'`,
    '',
    `export const OPERATIONS = ${formatLiteral(table)} as const satisfies Record<string, OperationRow>`,
    '',
    'export type OperationId = keyof typeof OPERATIONS',
    '',
    '/** The checked input of each operation. */',
    'export interface Inputs {',
    ...rows.flatMap(inputLines),
    '}',
    '',
    '/** The successful reply of each operation. */',
    'export interface Outputs {',
    ...rows.map(({ id, success }) => `  readonly ${id}: ${success.join(' | ')}`),
    '}',
  ])
}

function inputLines({ id, params, query, headers, body }: OperationView): string[] {
  const path = params.map((name) => `readonly ${name}: string`).join('; ')
  const queryTypes = Object.entries(query).map(([name, { type, values, fallback }]) => {
    const scalar =
      type === 'integer' ? 'number' : (values?.map((value) => `'${String(value)}'`).join(' | ') ?? 'string')
    return `readonly ${name}${fallback === null ? '?' : ''}: ${scalar}`
  })
  return [
    `  readonly ${id}: {`,
    `    readonly path: { ${path} }`,
    `    readonly query: { ${queryTypes.join('; ')} }`,
    ...(headers.length === 0
      ? []
      : [`    readonly headers: { ${headers.map((name) => `readonly '${name}'?: string`).join('; ')} }`]),
    `    readonly body: ${body?.schema ?? 'undefined'}`,
    '  }',
  ]
}

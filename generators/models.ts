import type { PathItemObject } from 'openapi3-ts/oas31'
import { resolve, type SpecDocument } from '../spec/document.ts'
import { deref } from '../spec/json-schema.ts'
import { generatedFile, literal, type GeneratedFile } from './generated-file.ts'
import { objectOf } from './notifications.ts'

/** How a store knows the objects of each type: their schema, the fields that identify them, and the one with their state. */
export function models(document: SpecDocument): GeneratedFile {
  const rows = Object.entries(document.openapi.webhooks ?? {})
    .filter(([name]) => name !== 'test')
    .map(([name, item]) => [name, model(name, resolve<PathItemObject>(document, item), document)] as const)
  return generatedFile(import.meta.url, 'spec/generated/models.ts', [
    `import type { ModelRow } from '../rows.ts'`,
    `import type { NotifiedType } from './notifications.ts'`,
    '',
    `export const MODELS: { readonly [Type in NotifiedType]: ModelRow } = ${literal(Object.fromEntries(rows))}`,
  ])
}

function model(name: string, item: PathItemObject, document: SpecDocument) {
  const schema = objectOf(name, item, document)
  const definition = document.schemas[schema] ?? {}
  const kinds = definition.oneOf?.map((kind) => deref(kind, document.schemas)) ?? [definition]
  const ids: readonly string[] = item.post?.['x-ids'] ?? ['id']
  const stray = ids.find((field) => !kinds.some(({ properties }) => properties?.[field]))
  if (stray !== undefined)
    throw new SyntaxError(`Cannot generate model "${name}": ${schema} has no "${stray}"`)
  const state: unknown = item.post?.['x-state'] ?? 'state'
  const hasState = typeof state === 'string' && kinds.every(({ properties }) => properties?.[state])
  return { schema, ids, state: hasState ? state : null }
}

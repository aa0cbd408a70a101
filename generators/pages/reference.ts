import type { PathItemObject } from 'openapi3-ts/oas31'
import { listOperations, resolve, type SpecDocument } from '../../spec/document.ts'
import { deref, listKinds, refName, type JsonSchema, type JsonSchemas } from '../../spec/json-schema.ts'
import type { Reading } from '../../spec/readings.ts'
import { generatedPage, type GeneratedFile } from '../generated-file.ts'
import { lifecyclePages, type Lifecycles } from './lifecycles.ts'
import { fieldTable, origin, markdownTable } from './markdown.ts'
import { objectSchemaName } from '../views/notification-rows.ts'

export interface ReferenceSources {
  readonly service: SpecDocument
  readonly lifecycles: Lifecycles
  readonly readings: readonly Reading[]
}

export function referencePage({ service, lifecycles, readings }: ReferenceSources): GeneratedFile {
  return generatedPage(import.meta.url, 'spec/generated/reference.md', [
    '# What the service promises',
    '',
    'Each rule names a section (`§`) of the document of the service, or a reading of an open question.',
    'This page is generated from the files in `spec/`, which programs can also read.',
    '',
    '## Operations',
    '',
    ...operationTable(service),
    '## Notifications',
    '',
    ...Object.entries(service.openapi.webhooks ?? {}).flatMap(([name, item]) =>
      notificationPage(name, resolve<PathItemObject>(service, item), service),
    ),
    ...lifecyclePages(lifecycles),
    '## Readings',
    '',
    'Readings answer questions that the document leaves open, or answers in contradictory ways. You can set a reading whose value is a choice, a duration or a text. A reading about the form of a request or response is part of the OpenAPI document.',
    '',
    ...readings.flatMap(readingPage),
  ])
}

function operationTable(service: SpecDocument): string[] {
  const rows = listOperations(service).map(({ method, path, operation }) => [
    `\`${method.toUpperCase()} ${path}\``,
    operation.summary ?? '',
    (operation.security ?? []).flatMap((option) => Object.keys(option)).join(' or ') || 'open',
    origin({ source: operation['x-source'], reading: operation['x-reading'] }),
  ])
  return markdownTable(['Operation', 'What', 'Authentication', 'From'], rows)
}

function notificationPage(name: string, item: PathItemObject, service: SpecDocument): string[] {
  const operation = item.post
  const head = [`### ${name}`, '', `${operation?.summary ?? ''}. ${operation?.description ?? ''}`.trim(), '']
  if (name === 'test')
    return [...head, ...fieldTable({ $ref: '#/components/schemas/TestMessage' }, service.schemas)]
  const object = objectSchemaName(name, item, service)
  const pascal = name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
  const body = service.schemas[`${pascal}Notification`]
  const isWrapped = body?.properties?.[name] !== undefined
  const union = listKinds(service.schemas[object] ?? {})
  const kinds = union.length > 0 ? union : [{ $ref: `#/components/schemas/${object}` }]
  const short =
    isWrapped || !body
      ? []
      : ['Its short payload:', '', ...fieldTable(body, service.schemas), 'Its Show response:', '']
  return [...head, ...short, ...kinds.flatMap((kind) => kindPage(kind, kinds.length > 1, service.schemas))]
}

function kindPage(kind: JsonSchema, titled: boolean, schemas: JsonSchemas): string[] {
  const { description = '', properties = {} } = deref(kind, schemas)
  const constants = ['type', 'type_method'].flatMap((field) => {
    const value = properties[field]?.const
    return typeof value === 'string' ? [value] : []
  })
  const title = titled
    ? [`#### ${constants.join(' / ')}`, '', `${description} \`${refName(kind) ?? ''}\``, '']
    : []
  return [...title, ...fieldTable(kind, schemas)]
}

function readingPage({ id, source, kind, about, options, default: fallback, why }: Reading): string[] {
  const rows = Object.entries(options ?? {}).map(([option, text]) => [
    `\`${option}\`${option === fallback && Object.keys(options ?? {}).length > 1 ? ' (default)' : ''}`,
    text,
  ])
  const value =
    rows.length === 0 ? [`Default: \`${fallback}\`.`, ''] : markdownTable(['Option', 'What'], rows)
  return [`### ${id}`, '', `${about} (${source.join(', ')}; ${kind})`, '', ...value, `Why: ${why}`, '']
}

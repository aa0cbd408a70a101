import type { SpecDocument } from '../spec/document.ts'
import { resolve } from '../spec/document.ts'
import { generatedFile, literal, type GeneratedFile } from './generated-file.ts'
import type { PathItemObject, RequestBodyObject } from 'openapi3-ts/oas31'

const SCHEMA = /^#\/components\/schemas\/(\w+)$/

/** What the service posts: for each entry of `webhooks`, its schema and whose Show it equals. */
export function notifications(document: SpecDocument): GeneratedFile {
  const rows = Object.entries(document.openapi.webhooks ?? {}).map(([name, item]) => {
    const operation = resolve<PathItemObject>(document, item).post
    const body = operation?.requestBody
    const schema = body
      ? resolve<RequestBodyObject>(document, body).content['application/json']?.schema
      : undefined
    const schemaName = schema && '$ref' in schema ? SCHEMA.exec(schema.$ref)?.[1] : undefined
    if (schemaName === undefined)
      throw new SyntaxError(`Cannot generate notification "${name}": its body is not a named schema`)
    return {
      name,
      schema: schemaName,
      summary: operation?.summary ?? '',
      trigger: operation?.description ?? '',
    }
  })
  const objects = rows.filter(({ name }) => name !== 'test')
  if (objects.length === 0)
    throw new SyntaxError('Cannot generate notifications: the document has no webhooks')

  return generatedFile(import.meta.url, 'spec/generated/notifications.ts', [
    `export const NOTIFICATIONS = ${literal(Object.fromEntries(objects.map(({ name, ...rest }) => [name, rest])))} as const`,
    '',
    '/** The object types whose notifications are specified so far. */',
    'export type NotifiedType = keyof typeof NOTIFICATIONS',
  ])
}

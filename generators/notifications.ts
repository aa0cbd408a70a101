import type { PathItemObject, RequestBodyObject } from 'openapi3-ts/oas31'
import { resolve, type SpecDocument } from '../spec/document.ts'
import { deref, refName, type JsonSchema } from '../spec/json-schema.ts'
import { generatedFile, literal, type GeneratedFile } from './generated-file.ts'

/** What the service posts about each object type: its schemas, and how its kinds are told apart. */
export function notifications(document: SpecDocument): GeneratedFile {
  const rows = notificationRows(document)
  const objects = rows.map(([, { object }]) => object)

  return generatedFile(import.meta.url, 'spec/generated/notifications.ts', [
    `import type { NotificationRow } from '../rows.ts'`,
    `import type { ${[...objects, ...rows.map(([, { schema }]) => schema)].toSorted().join(', ')} } from './service-types.ts'`,
    '',
    `export const NOTIFICATIONS = ${literal(Object.fromEntries(rows))} as const satisfies Record<string, NotificationRow>`,
    '',
    ...typesByName(rows),
  ])
}

/** The types that a table of notifications gives rise to, as lines. */
export function typesByName(rows: readonly (readonly [string, { schema: string; object: string }])[]) {
  return [
    '/** The object types that are notified. Source: §2.2 */',
    'export type NotifiedType = keyof typeof NOTIFICATIONS',
    '',
    '/** The object of each type, as its Show response holds it. */',
    'export interface ObjectByType {',
    ...rows.map(([name, { object }]) => `  readonly ${keyOf(name)}: ${object}`),
    '}',
    '',
    '/** The notification of each type. */',
    'export interface NotificationByType {',
    ...rows.map(([name, { schema }]) => `  readonly ${keyOf(name)}: ${schema}`),
    '}',
  ]
}

function keyOf(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)
}

/** Every notification of a document by its type. Throws SyntaxError if there is none, or one that cannot be told. */
export function notificationRows(document: SpecDocument) {
  const rows = Object.entries(document.openapi.webhooks ?? {})
    .filter(([name]) => name !== 'test')
    .map(([name, item]) => [name, row(name, resolve<PathItemObject>(document, item), document)] as const)
  if (rows.length === 0) throw new SyntaxError('Cannot generate notifications: the document has no webhooks')
  return rows
}

function row(name: string, item: PathItemObject, document: SpecDocument) {
  const schema = schemaOf(name, item, document)
  const object = objectOf(name, item, document)
  const definition = document.schemas[object] ?? {}
  const kinds = (definition.oneOf ?? []).map((kind) => kindOf(kind, document))
  const body = document.schemas[schema]?.properties ?? {}
  const wrapped = body[name] !== undefined
  return {
    schema,
    object,
    /** Whether the object stands under its type, or the body is flat and names it. */
    wrapped,
    constants: wrapped ? {} : { name: flatName(name, body['name']) },
    show: showOf(name, document),
    summary: item.post?.summary ?? '',
    trigger: item.post?.description ?? '',
    source: String(item.post?.['x-source'] ?? ''),
    kinds,
  }
}

function flatName(name: string, field: JsonSchema | undefined): string {
  if (field?.const === name) return name
  throw new SyntaxError(`Cannot generate notification "${name}": its body neither holds nor names the object`)
}

function schemaOf(name: string, item: PathItemObject, document: SpecDocument): string {
  const body = item.post?.requestBody
  const content = body ? resolve<RequestBodyObject>(document, body).content['application/json'] : undefined
  const schema =
    content?.schema && '$ref' in content.schema ? refName({ $ref: content.schema.$ref }) : undefined
  if (schema === undefined) {
    throw new SyntaxError(`Cannot generate notification "${name}": its body is not a named schema`)
  }
  return schema
}

/** The schema of the object that a notification holds, or that it names with `x-object` if it holds none. */
export function objectOf(name: string, item: PathItemObject, document: SpecDocument): string {
  const wrapped = document.schemas[schemaOf(name, item, document)]?.properties?.[name]
  const object: unknown = wrapped ? refName(wrapped) : item.post?.['x-object']
  if (typeof object !== 'string') {
    throw new SyntaxError(`Cannot generate notification "${name}": it says not of which object`)
  }
  return object
}

/** One kind of a union: its schema, and the fields that have a constant there, or are null or an object. */
function kindOf(kind: JsonSchema, { schemas }: SpecDocument) {
  const schema = refName(kind)
  if (schema === undefined) throw new SyntaxError('Cannot generate a kind: it is not a named schema')
  const { properties = {} } = deref(kind, schemas)
  const entries = Object.entries(properties)
  return {
    schema,
    constants: Object.fromEntries(
      ['type', 'type_method'].flatMap((field) => {
        const value = properties[field]?.const
        return value === undefined ? [] : [[field, value]]
      }),
    ),
    nulls: entries
      .filter(([field, { type }]) => field === 'payin_details' && type === 'null')
      .map(([field]) => field),
    states: properties['state'] ? (deref(properties['state'], schemas).enum ?? []) : [],
  }
}

/** The operation that answers the same as the notification holds. */
function showOf(name: string, { openapi }: SpecDocument): string {
  const path = Object.entries(openapi.paths ?? {}).find(([pattern]) => pattern === `/${name}/{id}`)
  const show = path?.[1].get?.operationId
  if (show === undefined)
    throw new SyntaxError(`Cannot generate notification "${name}": there is no GET /${name}/{id}`)
  return show
}

import type { PathItemObject, RequestBodyObject } from 'openapi3-ts/oas31'
import { resolve, type SpecDocument } from '../../spec/document.ts'
import { deref, listKinds, refName, type JsonSchema } from '../../spec/json-schema.ts'
import type { ModelRow } from '../../spec/rows.ts'

/** Throws SyntaxError if a notification is ambiguous or if there are no notifications. */
export function notificationRows(document: SpecDocument) {
  const rows = rowsByType(document, notificationRow)
  if (rows.length === 0) throw new SyntaxError('Cannot generate notifications: the document has no webhooks')
  return rows
}

/** Returns the object types that only the earlier callback list contains. Reading: callback-list */
export function earlierRows(document: SpecDocument) {
  const { schemas } = document
  const notified = new Set<string>(notificationRows(document).map(([, { schema }]) => schema))
  const names = (schemas['CallbackPayload']?.anyOf ?? []).flatMap((part) => refName(part) ?? [])
  return names
    .filter((schema) => !notified.has(schema))
    .flatMap((schema) =>
      Object.entries(schemas[schema]?.properties ?? {}).map(
        ([type, object]) => [type, { schema, object: refName(object) ?? '', ...WRAPPED }] as const,
      ),
    )
}

const WRAPPED = { wrapped: true, constants: {}, kinds: [] } as const

export function modelRows(document: SpecDocument): (readonly [type: string, row: ModelRow])[] {
  return rowsByType(document, modelRow)
}

function rowsByType<Row>(
  document: SpecDocument,
  toRow: (name: string, item: PathItemObject, document: SpecDocument) => Row,
): (readonly [type: string, row: Row])[] {
  return Object.entries(document.openapi.webhooks ?? {})
    .filter(([name]) => name !== 'test')
    .map(([name, item]) => [name, toRow(name, resolve<PathItemObject>(document, item), document)] as const)
}

function notificationRow(name: string, item: PathItemObject, document: SpecDocument) {
  const schema = bodySchemaName(name, item, document)
  const object = objectSchemaName(name, item, document)
  const kinds = listKinds(document.schemas[object] ?? {}).map((kind) => kindRow(kind, document))
  const body = document.schemas[schema]?.properties ?? {}
  const wrapped = body[name] !== undefined
  return {
    schema,
    object,
    wrapped,
    constants: wrapped ? {} : { name: flatName(name, body['name']) },
    show: showOperationId(name, document),
    summary: item.post?.summary ?? '',
    trigger: item.post?.description ?? '',
    source: String(item.post?.['x-source'] ?? ''),
    kinds,
  }
}

function flatName(name: string, field: JsonSchema | undefined): string {
  if (field?.const === name) return name
  throw new SyntaxError(`Cannot generate notification "${name}": its body has neither the object nor its id`)
}

function bodySchemaName(name: string, item: PathItemObject, document: SpecDocument): string {
  const body = item.post?.requestBody
  const content = body ? resolve<RequestBodyObject>(document, body).content['application/json'] : undefined
  const schema =
    content?.schema && '$ref' in content.schema ? refName({ $ref: content.schema.$ref }) : undefined
  if (schema === undefined) {
    throw new SyntaxError(`Cannot generate notification "${name}": its body is not a named schema`)
  }
  return schema
}

/** Returns the schema name of the object in a notification: the wrapped object, or the object named by `x-object`. */
export function objectSchemaName(name: string, item: PathItemObject, document: SpecDocument): string {
  const wrapped = document.schemas[bodySchemaName(name, item, document)]?.properties?.[name]
  const object: unknown = wrapped ? refName(wrapped) : item.post?.['x-object']
  if (typeof object !== 'string') {
    throw new SyntaxError(`Cannot generate notification "${name}": it does not name its object`)
  }
  return object
}

function kindRow(kind: JsonSchema, { schemas }: SpecDocument) {
  const schema = refName(kind)
  if (schema === undefined)
    throw new SyntaxError('Cannot generate the row for a notification kind: its schema has no name')
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

function showOperationId(name: string, { openapi }: SpecDocument): string {
  const path = Object.entries(openapi.paths ?? {}).find(([pattern]) => pattern === `/${name}/{id}`)
  const show = path?.[1].get?.operationId
  if (show === undefined)
    throw new SyntaxError(`Cannot generate notification "${name}": there is no GET /${name}/{id}`)
  return show
}

function modelRow(name: string, item: PathItemObject, document: SpecDocument): ModelRow {
  const schema = objectSchemaName(name, item, document)
  const definition = document.schemas[schema] ?? {}
  const union = listKinds(definition).map((kind) => deref(kind, document.schemas))
  const kinds = union.length > 0 ? union : [definition]
  const ids: readonly string[] = item.post?.['x-ids'] ?? ['id']
  const stray = ids.find((field) => !kinds.some(({ properties }) => properties?.[field]))
  if (stray !== undefined)
    throw new SyntaxError(`Cannot generate model "${name}": ${schema} has no "${stray}"`)
  const state: unknown = item.post?.['x-state'] ?? 'state'
  const hasState = typeof state === 'string' && kinds.every(({ properties }) => properties?.[state])
  return { schema, ids, state: hasState ? state : null }
}

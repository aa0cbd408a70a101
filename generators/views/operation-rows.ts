import type { OperationObject, ParameterObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31'
import { listOperations, resolve, type DocumentOperation, type SpecDocument } from '../../spec/document.ts'
import { deref, refName } from '../../spec/json-schema.ts'
import { ERROR_FAMILIES, type ErrorFamily } from '../../spec/rows.ts'

export type OperationView = ReturnType<typeof operationRow>

export function operationRows(document: SpecDocument): OperationView[] {
  return listOperations(document).map((entry) => operationRow(document, entry))
}

function operationRow(document: SpecDocument, { path, method, item, operation }: DocumentOperation) {
  const id = operation.operationId
  if (!id) throw new SyntaxError(`Cannot generate an operation: "${method} ${path}" has no operationId`)
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    resolve<ParameterObject>(document, parameter),
  )
  const responses = Object.fromEntries(
    Object.entries(operation.responses ?? {}).map(([status, value]) => [
      status,
      schemaName(resolve<ResponseObject>(document, value).content, `${id} ${status}`),
    ]),
  )
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    slow: operation['x-slow'] === true,
    auth: (operation.security ?? document.openapi.security ?? []).flatMap((option) => Object.keys(option)),
    errors: errorFamily(operation),
    params: parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name),
    query: Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter) => [parameter.name, queryField(document, parameter)]),
    ),
    headers: parameters
      .filter((parameter) => parameter.in === 'header')
      .map(({ name }) => name.toLowerCase()),
    body: requestBody(document, operation),
    responses,
    success: Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, schema]) => schema),
  }
}

function errorFamily({ operationId, 'x-errors': family = 'control' }: OperationObject): ErrorFamily {
  const found = ERROR_FAMILIES.find((name) => name === family)
  if (found) return found
  const problem = `its x-errors is ${JSON.stringify(family)}; it takes ${ERROR_FAMILIES.join(', ')}`
  throw new SyntaxError(`Cannot generate operation "${operationId}": ${problem}`)
}

function queryField(document: SpecDocument, parameter: ParameterObject) {
  const schema = resolve<SchemaObject>(document, parameter.schema ?? {})
  const { type, enum: values, minimum, maximum, default: fallback } = schema
  if (type !== 'string' && type !== 'integer')
    throw new SyntaxError(`Cannot read query "${parameter.name}": its type is ${String(type)}`)
  return {
    type,
    values: values ?? null,
    minimum: minimum ?? null,
    maximum: maximum ?? null,
    fallback: fallback ?? null,
  }
}

/** The default limit of a JSON request, in bytes. Reading: request-limits */
const DEFAULT_LIMIT = 262_144

/** Returns the schema of a request. For form and query input, also returns the type of each field. */
function requestBody(
  document: SpecDocument,
  { requestBody: body, operationId, 'x-body-limit': limit, 'x-remedy': remedy }: OperationObject,
) {
  if (!body) return null
  const content = 'content' in body ? body.content : undefined
  const schema = schemaName(content, `${operationId} request`)
  const properties = document.schemas[schema]?.properties ?? {}
  const fields = Object.entries(properties).map(([field, value]) => {
    const { type } = deref(value, document.schemas)
    return [
      field,
      typeof type === 'string' ? type : (type?.find((name) => name !== 'null') ?? 'any'),
    ] as const
  })
  return {
    schema,
    form: content?.['application/x-www-form-urlencoded'] !== undefined,
    limit: Number(limit ?? DEFAULT_LIMIT),
    ...(remedy !== undefined && { remedy: String(remedy) }),
    fields: Object.fromEntries(fields),
  }
}

function schemaName(content: ResponseObject['content'], where: string): string {
  const schema = (
    content?.['application/json'] ??
    content?.['application/jsonl'] ??
    content?.['text/event-stream']
  )?.schema
  const name = schema && '$ref' in schema ? refName({ $ref: schema.$ref }) : undefined
  if (name === undefined) throw new SyntaxError(`Cannot generate "${where}": its body is not a named schema`)
  return name
}

import type { OperationObject, ParameterObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31'
import { listOperations, resolve, type SpecDocument, type DocumentOperation } from '../../spec/document.ts'
import { formatLiteral, generatedFile, type GeneratedFile } from '../generated-file.ts'
import { deref, refName } from '../../spec/json-schema.ts'
import { ERROR_FAMILIES, type ErrorFamily } from '../../spec/rows.ts'

export function operationsFile(document: SpecDocument, name: string): GeneratedFile {
  const rows = listOperations(document).map((entry) => operationRow(document, entry))
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

type OperationView = ReturnType<typeof operationRow>

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
  const problem = `its x-errors is ${JSON.stringify(family)}, but must be one of ${ERROR_FAMILIES.join(', ')}`
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

/** The default size limit of a JSON request, in bytes. Reading: request-limits */
const DEFAULT_LIMIT = 262_144

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

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OpenAPIObject, OperationObject, PathItemObject, ReferenceObject } from 'openapi3-ts/oas31'
import { parse } from 'yaml'
import { flattenSchemas } from './flatten.ts'
import type { JsonSchema, JsonSchemas } from './json-schema.ts'
import { valueAt } from './json-values.ts'
import { readPackageFile } from './package-files.ts'

/** An OpenAPI document that contains all referenced files. */
export interface SpecDocument {
  readonly openapi: OpenAPIObject
  readonly schemas: JsonSchemas
}

const FOLDER = dirname(fileURLToPath(import.meta.url))
const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const

/** Reads an OpenAPI document in `spec/` from disk, such as `openapi.yaml`. Only generators and tests may call this function. */
export function readDocument(name: string): SpecDocument {
  const openapi = readYaml<OpenAPIObject>(name)
  const listed = (openapi.components?.schemas ?? {}) as JsonSchemas
  const files = new Set(Object.values(listed).flatMap(({ $ref }) => fileOf($ref) ?? []))
  const schemasByFile = new Map([...files].map((file) => [file, readYaml<JsonSchemas>(file)]))
  const whole: Record<string, JsonSchema> = {}
  for (const [schema, value] of Object.entries(listed)) {
    const file = fileOf(value.$ref)
    const source = file === undefined ? value : schemasByFile.get(file)?.[schema]
    if (!source) throw new SyntaxError(`Cannot resolve "${value.$ref}": its file has no schema ${schema}`)
    whole[schema] = withNamedRefs(source, listed)
  }
  const schemas = flattenSchemas(whole)
  return {
    openapi: { ...openapi, components: { ...openapi.components, schemas: { ...schemas } as never } },
    schemas,
  }
}

export function readBundled(): OpenAPIObject {
  return JSON.parse(readSource('generated/openapi.json')) as OpenAPIObject
}

export function toSpecDocument(openapi: OpenAPIObject): SpecDocument {
  return { openapi, schemas: openapi.components?.schemas ?? {} }
}

export function readSource(name: string): string {
  const text = readPackageFile(`spec/${name}`)
  if (text === undefined)
    throw new Error(`Cannot read "spec/${name}": the package does not contain this file`)
  return text
}

function fileOf(ref: string | undefined): string | undefined {
  return ref?.split('#', 1)[0] || undefined
}

export function readYaml<Value>(name: string): Value {
  return parse(readFileSync(join(FOLDER, name), 'utf8')) as Value
}

export function readExamples(): {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}[] {
  const files = readdirSync(join(FOLDER, 'examples')).filter((file) => file.endsWith('.json'))
  return files.toSorted().flatMap((file) => {
    const bodies = readYaml<Readonly<Record<string, Readonly<Record<string, unknown>>>>>(`examples/${file}`)
    return Object.entries(bodies).map(([name, body]) => ({ name, body }))
  })
}

function withNamedRefs<Value>(value: Value, listed: JsonSchemas): Value {
  const named = (ref: string): string => {
    const name = ref.slice(ref.lastIndexOf('/') + 1)
    if (!Object.hasOwn(listed, name))
      throw new SyntaxError(
        `Cannot replace the reference "${ref}" by its schema: components.schemas does not list it`,
      )
    return `#/components/schemas/${name}`
  }
  return JSON.parse(JSON.stringify(value), (key, inner) => (key === '$ref' ? named(inner) : inner)) as Value
}

export interface DocumentOperation {
  readonly path: string
  readonly method: string
  readonly item: PathItemObject
  readonly operation: OperationObject
}

export function listOperations({ openapi }: SpecDocument): DocumentOperation[] {
  return Object.entries(openapi.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation ? [{ path, method, item, operation }] : []
    }),
  )
}

export function resolve<Target extends object>(
  { openapi }: SpecDocument,
  value: Target | ReferenceObject,
): Target {
  if (!isReference(value)) return value
  const target = valueAt(openapi, value.$ref.slice(1))
  if (target === undefined)
    throw new SyntaxError(`Cannot resolve "${value.$ref}": the document has no such value`)
  return target as Target
}

function isReference(value: object): value is ReferenceObject {
  return '$ref' in value
}

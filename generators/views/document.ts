import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { toSpecDocument, type SpecDocument } from '../../spec/document.ts'
import { flattenSchemas } from '../../spec/flatten.ts'
import { FORMATS } from '../../spec/json-values.ts'
import { deref, mapSchema, type JsonSchema, type JsonSchemas } from '../../spec/json-schema.ts'

const CHECKED_KEYWORDS =
  /^(\$ref|type|enum|const|format|pattern|(min|max)(Length|Items|imum)|exclusiveM(in|ax)imum|multipleOf|properties|required|additionalProperties|items|uniqueItems|allOf|anyOf|oneOf|discriminator|not|x-derived)$/
const ANNOTATIONS =
  /^(title|description|default|examples?|deprecated|readOnly|writeOnly|externalDocs|\$comment|x-.*)$/
const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

/** Checks and prepares a document for the generators. Throws SyntaxError with a JSON pointer for an invalid document. */
export function parseDocument(openapi: OpenAPIObject): SpecDocument {
  const { schemas: given } = toSpecDocument(openapi)
  for (const [name, schema] of Object.entries(given)) check(schema, `/components/schemas/${name}`, given)
  const schemas = flattenSchemas(given)
  return {
    openapi: { ...openapi, components: { ...openapi.components, schemas: schemas as never } },
    schemas,
  }
}

function check(schema: unknown, pointer: string, schemas: JsonSchemas): void {
  const fail = (at: string, problem: string): never => {
    throw new SyntaxError(`${pointer}${at} ${problem}`)
  }
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) fail('', 'is no schema')
  const known = schema as JsonSchema
  for (const keyword of Object.keys(known)) {
    if (keyword === 'unevaluatedProperties' && known.allOf) continue
    if (!CHECKED_KEYWORDS.test(keyword) && !ANNOTATIONS.test(keyword))
      fail(`/${keyword}`, 'is an unknown keyword')
  }
  checkValues(known, fail)
  if (known.$ref !== undefined) deref(known, schemas)
  for (const [name, child] of Object.entries(known.properties ?? {}))
    check(child, `${pointer}/properties/${name}`, schemas)
  for (const list of ['allOf', 'anyOf', 'oneOf'] as const) {
    for (const [index, child] of (known[list] ?? []).entries())
      check(child, `${pointer}/${list}/${index}`, schemas)
  }
  for (const keyword of ['items', 'not', 'additionalProperties'] as const) {
    if (typeof known[keyword] === 'object') check(known[keyword], `${pointer}/${keyword}`, schemas)
  }
}

function checkValues(schema: JsonSchema, fail: (at: string, problem: string) => never): void {
  const { type = [], format, pattern, properties = {}, required = [], enum: values = [] } = schema
  for (const each of [type].flat()) {
    if (!TYPES.includes(each))
      fail('/type', `is ${JSON.stringify(each)}, but must be one of ${TYPES.join(', ')}`)
  }
  if (format !== undefined && !Object.hasOwn(FORMATS, format)) {
    fail('/format', `is ${JSON.stringify(format)}, but must be one of ${Object.keys(FORMATS).join(', ')}`)
  }
  if (typeof properties !== 'object') fail('/properties', 'is no object')
  for (const list of ['required', 'enum', 'allOf', 'anyOf', 'oneOf'] as const) {
    if (schema[list] !== undefined && !Array.isArray(schema[list])) fail(`/${list}`, 'is no list')
  }
  if (schema.enum && values.length === 0) fail('/enum', 'is empty')
  const doubled = required.find((name, index) => typeof name !== 'string' || required.indexOf(name) !== index)
  if (doubled !== undefined) fail('/required', `has ${JSON.stringify(doubled)} twice`)
  if (pattern !== undefined && !isPattern(pattern)) {
    fail('/pattern', `is ${JSON.stringify(pattern)}, which is not a regular expression`)
  }
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== ''
  } catch {
    return false
  }
}

export function withoutAnnotations(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) =>
    Object.fromEntries(Object.entries(part).filter(([keyword]) => CHECKED_KEYWORDS.test(keyword))),
  )
}

/** Removes the `x-` keywords of this project, and changes the prefix of references. */
export function withoutExtensions(schema: JsonSchema, prefix: string): JsonSchema {
  return mapSchema(withReferences(schema, prefix), (part) =>
    Object.fromEntries(Object.entries(part).filter(([key]) => !key.startsWith('x-'))),
  )
}

export function withReferences(
  schema: JsonSchema,
  prefix: string,
  before = '#/components/schemas/',
): JsonSchema {
  return mapSchema(schema, ({ $ref, ...part }) =>
    $ref === undefined ? part : { ...part, $ref: $ref.replace(before, prefix) },
  )
}

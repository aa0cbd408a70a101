import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { toSpecDocument } from '../../spec/document.ts'
import {
  WHOLE,
  translateValueAt,
  translateWord,
  type FieldLocation,
  type Words,
} from '../../spec/vocabulary.ts'
import type { JsonSchema } from '../../spec/json-schema.ts'
import { createSchemaTranslator, translateSchemas, type SchemaTranslator } from './translate-schemas.ts'

interface DocumentTranslator {
  readonly words: Words
  readonly schema: SchemaTranslator
}

/** Translates the document, except its paths. The sandbox does not translate paths. */
export function translateDocument(openapi: OpenAPIObject, words: Words): OpenAPIObject {
  const { schemas } = toSpecDocument(openapi)
  const translator = { words, schema: createSchemaTranslator(schemas, words) }
  const { components, webhooks, ...rest } = openapi
  const { schemas: _, ...others } = components ?? {}
  const notified = Object.entries(webhooks ?? {}).map(([name, item]) => [
    name === 'test' ? name : translateWord(words, name),
    translateNode(item, translator),
  ])
  return {
    ...(translateNode(rest, translator) as OpenAPIObject),
    webhooks: Object.fromEntries(notified),
    components: {
      ...(translateNode(others, translator) as object),
      schemas: translateSchemas(schemas, words) as never,
    },
  }
}

function translateNode(node: unknown, translator: DocumentTranslator): unknown {
  if (Array.isArray(node)) return node.map((child) => translateNode(child, translator))
  if (typeof node !== 'object' || node === null) return node
  const { name, in: where } = node as { readonly name?: unknown; readonly in?: unknown }
  if (typeof name === 'string' && where === 'query') {
    const said = translateHolder(node, translator, { key: name, inLinks: false })
    return { ...said, name: translateWord(translator.words, name) }
  }
  return translateHolder(node, translator, WHOLE)
}

function translateHolder(
  node: object,
  translator: DocumentTranslator,
  place: FieldLocation,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(node).map(([key, child]: [string, unknown]) => {
      switch (key) {
        case 'schema':
          return [key, translator.schema(child as JsonSchema, place)]
        case 'example':
          return [key, translateValueAt(translator.words, child, place)]
        case 'examples':
          return [key, translateExamples(child, translator, place)]
        case 'x-ids':
          return [
            key,
            Array.isArray(child) ? child.map((id) => translateWord(translator.words, String(id))) : child,
          ]
        case 'x-state':
          return [key, typeof child === 'string' ? translateWord(translator.words, child) : child]
        default:
          return [key, translateNode(child, translator)]
      }
    }),
  )
}

function translateExamples(examples: unknown, { words }: DocumentTranslator, place: FieldLocation): unknown {
  return Object.fromEntries(
    Object.entries(Object(examples)).map(([name, example]) => {
      if (typeof example !== 'object' || example === null || !('value' in example)) return [name, example]
      return [name, { ...example, value: translateValueAt(words, example.value, place) }]
    }),
  )
}

import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { toSpecDocument } from '../../spec/document.ts'
import { WHOLE, valueAt, wordIn, type Place, type Words } from '../../spec/vocabulary.ts'
import type { JsonSchema } from '../../spec/json-schema.ts'
import { schemaTranslator, translateSchemas, type SchemaTranslator } from './translate-schemas.ts'

interface Speaker {
  readonly words: Words
  readonly schema: SchemaTranslator
}

/** The document in a platform's words. Paths stay, as the service is asked by its own. */
export function translateDocument(openapi: OpenAPIObject, words: Words): OpenAPIObject {
  const { schemas } = toSpecDocument(openapi)
  const speaker = { words, schema: schemaTranslator(schemas, words) }
  const { components, webhooks, ...rest } = openapi
  const { schemas: _, ...others } = components ?? {}
  const notified = Object.entries(webhooks ?? {}).map(([name, item]) => [
    name === 'test' ? name : wordIn(words, name),
    nodeIn(item, speaker),
  ])
  return {
    ...(nodeIn(rest, speaker) as OpenAPIObject),
    webhooks: Object.fromEntries(notified),
    components: {
      ...(nodeIn(others, speaker) as object),
      schemas: translateSchemas(schemas, words) as never,
    },
  }
}

function nodeIn(node: unknown, speaker: Speaker): unknown {
  if (Array.isArray(node)) return node.map((child) => nodeIn(child, speaker))
  if (typeof node !== 'object' || node === null) return node
  const { name, in: where } = node as { readonly name?: unknown; readonly in?: unknown }
  if (typeof name === 'string' && where === 'query') {
    const said = holderIn(node, speaker, { key: name, inLinks: false })
    return { ...said, name: wordIn(speaker.words, name) }
  }
  return holderIn(node, speaker, WHOLE)
}

/** What holds a schema or examples, or holds what does. */
function holderIn(node: object, speaker: Speaker, place: Place): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(node).map(([key, child]: [string, unknown]) => {
      switch (key) {
        case 'schema':
          return [key, speaker.schema(child as JsonSchema, place)]
        case 'example':
          return [key, valueAt(speaker.words, child, place)]
        case 'examples':
          return [key, examplesIn(child, speaker, place)]
        case 'x-ids':
          return [key, Array.isArray(child) ? child.map((id) => wordIn(speaker.words, String(id))) : child]
        case 'x-state':
          return [key, typeof child === 'string' ? wordIn(speaker.words, child) : child]
        default:
          return [key, nodeIn(child, speaker)]
      }
    }),
  )
}

function examplesIn(examples: unknown, { words }: Speaker, place: Place): unknown {
  return Object.fromEntries(
    Object.entries(Object(examples)).map(([name, example]) => {
      if (typeof example !== 'object' || example === null || !('value' in example)) return [name, example]
      return [name, { ...example, value: valueAt(words, example.value, place) }]
    }),
  )
}

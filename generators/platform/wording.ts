import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { toSpecDocument, type SpecDocument } from '../../spec/document.ts'
import type { JsonSchemas, JsonSchema } from '../../spec/json-schema.ts'
import type { KindSigns } from '../../spec/kinds.ts'
import type { NotificationRow } from '../../spec/rows.ts'
import { relaxSchemas } from '../../spec/tolerant.ts'
import {
  createTranslator,
  WHOLE,
  translateValueAt,
  translateWord,
  type Vocabulary,
  type FieldLocation,
  type Words,
} from '../../spec/vocabulary.ts'
import { earlierRows, notificationRows } from '../views/notification-rows.ts'
import { translateSchemas, createSchemaTranslator, type SchemaTranslator } from './translate-schemas.ts'

export interface Wording {
  readonly openapi: OpenAPIObject
  readonly strict: JsonSchemas
  readonly tolerant: JsonSchemas
  readonly notifications: readonly (readonly [type: string, row: NotificationSigns])[]
  /** The notifications that only the earlier list of callbacks contains. Reading: callback-list */
  readonly earlier: readonly (readonly [type: string, row: NotificationSigns])[]
}

interface NotificationSigns extends Pick<NotificationRow, 'schema' | 'object' | 'wrapped' | 'constants'> {
  readonly kinds: readonly KindSigns[]
}

/** Throws RangeError for an invalid vocabulary. */
export function createWording(document: SpecDocument, vocabulary: Vocabulary): Wording {
  createTranslator(vocabulary)
  const words = new Map(Object.entries(vocabulary))
  const rows = notificationRows(document)
  const types = rows.map(([type]) => translateWord(words, type))
  const doubled = types.find((type, index) => types.indexOf(type) < index)
  if (doubled !== undefined) {
    throw new RangeError(`Cannot use the vocabulary: two types become "${doubled}". Choose another word`)
  }
  const openapi = translateDocument(document.openapi, words)
  return {
    openapi,
    strict: toSpecDocument(openapi).schemas,
    tolerant: translateSchemas(relaxSchemas(document.schemas), words),
    earlier: earlierRows(document).map(([type, row]) => [translateWord(words, type), row]),
    notifications: rows.map(([type, { schema, object, wrapped, constants, kinds }]) => [
      translateWord(words, type),
      {
        schema,
        object,
        wrapped,
        // A body without a wrapper names its object type in a field. Source: §6.3
        constants: Object.fromEntries(
          Object.entries(constants).map(([field, name]) => [
            translateWord(words, field),
            translateWord(words, name),
          ]),
        ),
        kinds: kinds.map((kind) => ({
          schema: kind.schema,
          constants: translateValueAt(words, kind.constants, WHOLE) as KindSigns['constants'],
          nulls: kind.nulls.map((field) => translateWord(words, field)),
        })),
      },
    ]),
  }
}

/** Returns the words of the vocabulary that do not occur in the document, because they are probably misspelled. */
export function unusedWords({ openapi }: SpecDocument, vocabulary: Vocabulary): string[] {
  const said = JSON.stringify(openapi)
  return Object.keys(vocabulary).filter((word) => !new RegExp(`(?<![a-z0-9])${word}(?![a-z0-9])`).test(said))
}

interface DocumentTranslator {
  readonly words: Words
  readonly schema: SchemaTranslator
}

/** Translates an OpenAPI document into the words of a vocabulary, except the paths. The sandbox does not translate paths. */
function translateDocument(openapi: OpenAPIObject, words: Words): OpenAPIObject {
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

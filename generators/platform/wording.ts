import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { toSpecDocument, type SpecDocument } from '../../spec/document.ts'
import type { JsonSchemas } from '../../spec/json-schema.ts'
import type { KindSigns } from '../../spec/kinds.ts'
import { relaxSchemas } from '../../spec/tolerant.ts'
import {
  createTranslator,
  WHOLE,
  translateValueAt,
  translateWord,
  type Vocabulary,
} from '../../spec/vocabulary.ts'
import { earlierRows, notificationRows } from '../views/notification-rows.ts'
import { translateDocument } from './translate-document.ts'
import { translateSchemas } from './translate-schemas.ts'

/** All that is generated from, in a platform's words. */
export interface Wording {
  readonly openapi: OpenAPIObject
  /** The schemas of the document, and how a receiver should read its notifications. */
  readonly strict: JsonSchemas
  readonly tolerant: JsonSchemas
  readonly notifications: readonly (readonly [type: string, row: NotificationSigns])[]
  /** The notifications of the earlier list of callbacks, beyond those. */
  readonly earlier: readonly (readonly [type: string, row: NotificationSigns])[]
}

/** How a notification is told, and its schemas. */
export interface NotificationSigns {
  readonly schema: string
  readonly object: string
  readonly wrapped: boolean
  readonly constants: Readonly<Record<string, string>>
  readonly kinds: readonly KindSigns[]
}

/** Puts the document into a platform's words. Throws RangeError for a vocabulary that cannot be used. */
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
        // A flat body names its object type. Source: §6.3
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

/** The words of a vocabulary that stand for nothing in the document: misspelt, most likely. */
export function unusedWords({ openapi }: SpecDocument, vocabulary: Vocabulary): string[] {
  const said = JSON.stringify(openapi)
  return Object.keys(vocabulary).filter((word) => !new RegExp(`(?<![a-z0-9])${word}(?![a-z0-9])`).test(said))
}

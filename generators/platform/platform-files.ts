import type { OpenAPIObject } from 'openapi3-ts/oas31'
import type { Vocabulary } from '../../spec/vocabulary.ts'
import { parseDocument } from '../views/document.ts'
import { jsonSchemaFiles } from './json-schema.ts'
import { formatMark, type Language, type PlatformFile } from './platform-file.ts'
import { typescriptFiles } from './typescript.ts'
import { createWording, type Wording } from './wording.ts'

export interface PlatformOptions {
  readonly language: Language
  readonly vocabulary?: Vocabulary
}

/** Returns all files as text. Throws RangeError for an invalid vocabulary. */
export async function platformFiles(
  openapi: OpenAPIObject,
  { language, vocabulary = {} }: PlatformOptions,
): Promise<PlatformFile[]> {
  const wording = createWording(parseDocument(openapi), vocabulary)
  switch (language) {
    case 'ts':
      return typescriptFiles(wording)
    case 'json-schema':
      return jsonSchemaFiles(wording)
    case 'openapi':
      return openapiFiles(wording)
    default:
      return language satisfies never
  }
}

function openapiFiles({ openapi }: Wording): PlatformFile[] {
  const { openapi: version, 'x-note': _, ...rest } = openapi
  const text = JSON.stringify({ openapi: version, 'x-note': formatMark('openapi'), ...rest }, null, 2)
  return [{ path: 'openapi.json', text: `${text}\n` }]
}

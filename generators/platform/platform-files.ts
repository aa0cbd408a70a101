import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { errorMessage } from '../../spec/errors.ts'
import type { Vocabulary } from '../../spec/vocabulary.ts'
import { parseDocument } from '../views/document.ts'
import { jsonSchemaFiles } from './json-schema.ts'
import { applyOverlay } from './overlay.ts'
import { formatMark, type Language, type PlatformFile } from './platform-file.ts'
import { typescriptFiles } from './typescript.ts'
import { createWording, type Wording } from './wording.ts'

export interface PlatformOptions {
  readonly language: Language
  readonly vocabulary?: Vocabulary | undefined
  /** An OpenAPI overlay in neutral words. */
  readonly overlay?: unknown
  readonly overlayName?: string
}

/** Returns all files as text. Throws RangeError for an invalid vocabulary or overlay. */
export async function platformFiles(
  openapi: OpenAPIObject,
  { language, vocabulary = {}, overlay, overlayName = 'the overlay' }: PlatformOptions,
): Promise<PlatformFile[]> {
  if (overlay === undefined) return filesFor(createWording(parseDocument(openapi), vocabulary), language)
  const changed = await applyOverlay(openapi, overlay, overlayName)
  try {
    return await filesFor(createWording(parseDocument(changed), vocabulary), language)
  } catch (cause) {
    if (cause instanceof RangeError) throw cause
    const [detail] = errorMessage(cause).split('\n')
    throw new RangeError(
      `Cannot use ${overlayName}: nothing can be generated after it (${detail}). Correct its actions`,
      { cause },
    )
  }
}

async function filesFor(wording: Wording, language: Language): Promise<PlatformFile[]> {
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

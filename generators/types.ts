import { compile } from 'json-schema-to-typescript'
import type { SpecDocument } from '../spec/document.ts'
import { generatedFile, type GeneratedFile } from './generated-file.ts'
import { standaloneSchema } from './standalone-schema.ts'

/** One named, documented type for each schema of the document, and `Schemas`, which lists them by name. */
export async function types(document: SpecDocument, name: string): Promise<GeneratedFile> {
  const names = Object.keys(document.schemas).toSorted()
  const text = await compile(standaloneSchema(document, 'Schemas'), 'Schemas', {
    bannerComment: '',
    additionalProperties: true,
    unknownAny: true,
    style: { semi: false, singleQuote: true, printWidth: 110, trailingComma: 'all' },
  })
  const missing = names.filter(
    (schema) => !new RegExp(`^export (type|interface) ${schema}\\b`, 'm').test(text),
  )
  if (missing.length > 0)
    throw new SyntaxError(`Cannot generate types: no type came out for ${missing.join(', ')}`)
  return generatedFile(import.meta.url, `spec/generated/${name}.ts`, [readonlyProperties(text).trimEnd()])
}

function readonlyProperties(text: string): string {
  return text
    .replaceAll(/^( +)(["\w$-]+\??: )/gm, '$1readonly $2')
    .replaceAll(/^( +)(\[k: string\]: )/gm, '$1readonly $2')
    .replaceAll(/(: |\| )((?:\w+|\([^()]+\))\[\])/g, '$1readonly $2')
}

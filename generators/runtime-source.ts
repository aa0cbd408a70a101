import { generatedFile, literal, type GeneratedFile } from './generated-file.ts'

/** The files of `spec/` that a platform's own copy of the parser is made of. */
export const RUNTIME = ['parse-notification', 'kinds', 'validator', 'schema-validator', 'formats'] as const

const IMPORT = /^import [^]*? from '[^']+'\n/gm
const NOTE_TO_LINTER = /^ *\/\/ oxlint-[^\n]*\n/gm

/** The text of sources without their imports, so that it can be put together in one file where there are no sources. */
export function runtimeSource(sources: readonly (readonly [name: string, text: string])[]): GeneratedFile {
  const lines = sources.map(([name, text]) => {
    const bare = text.replaceAll(IMPORT, '').replaceAll(NOTE_TO_LINTER, '').trim()
    if (/\bfrom '/.test(bare)) throw new SyntaxError(`Cannot put ${name} into one file: an import is left`)
    return [name, bare.split('\n')] as const
  })
  return generatedFile(import.meta.url, 'spec/generated/runtime-source.ts', [
    `export const RUNTIME_SOURCE = ${literal(Object.fromEntries(lines))} as const`,
  ])
}

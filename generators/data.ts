import { generatedFile, literal, type GeneratedFile } from './generated-file.ts'

/** A YAML file of plain data as a constant, so that nothing parses YAML at run time. */
export function data(name: string, value: unknown): GeneratedFile {
  const constant = name.toUpperCase()
  return generatedFile(import.meta.url, `spec/generated/${name}.ts`, [
    `export const ${constant} = ${literal(value)} as const`,
  ])
}

import { readFile } from 'node:fs/promises'
import { errorMessage } from '../../spec/errors.ts'
import { UsageError } from './failure.ts'
import { describeFileError } from '../adapters/files.ts'

export const CONTENT_HELP = '"@FILE" reads a file and "@-" standard input'

/** Parses JSON from the text of an option, or from a file if the text is `@file`. Throws UsageError for invalid JSON. */
export async function readJsonOption(name: string, text: string): Promise<unknown> {
  const source = fileNameIn(text)
  const json = source === undefined ? text : (await readInput(name, source)).toString('utf8')
  try {
    return JSON.parse(json)
  } catch (cause) {
    const detail = errorMessage(cause)
    const remedy = 'Write JSON, or name a JSON file as @FILE'
    throw new UsageError(`Cannot use ${name}: the value is not JSON (${detail}). ${remedy}`, { cause })
  }
}

/** Returns the text of an option, or the bytes of a file if the text is `@file`. Throws UsageError if the file cannot be read. */
export async function readRawOption(
  name: string,
  text: string,
): Promise<{ raw: string; raw_encoding?: 'base64' }> {
  const source = fileNameIn(text)
  if (source === undefined) return { raw: text }
  return { raw: (await readInput(name, source)).toString('base64'), raw_encoding: 'base64' }
}

async function readInput(name: string, file: string): Promise<Buffer> {
  try {
    if (file !== '-') return await readFile(file)
    const { buffer } = await import('node:stream/consumers')
    // Reads `process.stdin` rather than a file, because standard input can be a pipe without a writer.
    return await buffer(process.stdin)
  } catch (cause) {
    const source = file === '-' ? 'standard input' : `"${file}"`
    const problem = `Cannot read ${source} for ${name}: ${describeFileError(cause)}`
    throw new UsageError(`${problem}. Name a readable file`, { cause })
  }
}

function fileNameIn(text: string): string | undefined {
  return text.startsWith('@') ? text.slice(1) : undefined
}

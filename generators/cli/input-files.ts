import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { errorMessage, isError } from '../../spec/errors.ts'
import type { Vocabulary } from '../../spec/vocabulary.ts'

/** A platform's words from a file of their own, or from a config file of the sandbox. Throws RangeError naming the file. */
export function readVocabulary(file: string): Vocabulary {
  const given = readData('vocabulary', file)
  const words = isMap(given) && isMap(given['vocabulary']) ? given['vocabulary'] : given
  if (!isMap(words)) {
    throw new RangeError(
      `Cannot use vocabulary "${file}": it is not a map; write a line like "extwallet: acmepay"`,
    )
  }
  const stray = Object.entries(words).find(([, word]) => typeof word !== 'string')
  if (stray !== undefined) {
    const [word, value] = stray
    const problem = `"${word}" is ${JSON.stringify(value)}; give it a word, or put all words under "vocabulary:"`
    throw new RangeError(`Cannot use vocabulary "${file}": ${problem}`)
  }
  return Object.fromEntries(Object.entries(words).map(([word, said]) => [word, String(said)]))
}

/** What an overlay file holds, whatever it is. Throws RangeError naming the file. */
export function readOverlay(file: string): unknown {
  return readData('overlay', file) ?? null
}

function readData(what: string, file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = isMissing(cause) ? 'there is no such file' : firstLine(cause)
    throw new RangeError(`Cannot read ${what} "${file}": ${reason}; name a YAML or JSON file`, { cause })
  }
  try {
    return parse(text)
  } catch (cause) {
    throw new RangeError(`Cannot read ${what} "${file}": ${firstLine(cause)}; correct its YAML or JSON`, {
      cause,
    })
  }
}

function isMissing(cause: unknown): boolean {
  return isError(cause) && 'code' in cause && cause.code === 'ENOENT'
}

function firstLine(cause: unknown): string {
  const [line = ''] = errorMessage(cause).split('\n')
  return line.replace(/[:.]$/, '')
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

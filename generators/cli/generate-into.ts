import { basename, resolve, dirname, join } from 'node:path'
import { styleText } from 'node:util'
import {
  readFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { parse } from 'yaml'
import { toSpecDocument, readBundled } from '../../spec/document.ts'
import { readMark, type Language, type PlatformFile, platformFiles } from '../platform/platform-files.ts'
import { unusedWords } from '../platform/wording.ts'
import { errorMessage, isError } from '../../spec/errors.ts'
import type { Vocabulary } from '../../spec/vocabulary.ts'

export interface GenerateFlags {
  readonly out: string
  readonly lang: Language
  readonly vocabulary?: string
  readonly check?: boolean
  readonly json?: boolean
}

/** Writes or checks the generated files, and sets the exit code. Throws RangeError for invalid options. */
export async function generateInto(given: GenerateFlags): Promise<void> {
  const { out, lang, json = false, check = false } = given
  const vocabulary = given.vocabulary === undefined ? {} : readVocabulary(given.vocabulary)
  const generated = await platformFiles(readBundled(), { language: lang, vocabulary })
  const plan = planWrites(out, generated, lang)
  const unused = unusedWords(toSpecDocument(readBundled()), vocabulary)
  if (check) {
    const stale = [...plan.changed.map(({ path }) => path), ...plan.gone].toSorted()
    if (stale.length > 0) process.exitCode = 1
    if (json) console.log(JSON.stringify({ out, lang, stale }, null, 2))
    else printStale(out, stale)
    return
  }
  writePlan(plan)
  const written = plan.changed.map(({ path }) => path)
  const notes = unused.map(
    (word) => `Note: "${word}" is not a word of the document, so it replaces nothing. Check its spelling`,
  )
  const result = { out, lang, written, unchanged: plan.unchanged, removed: plan.gone, unused_words: unused }
  if (json) console.log(JSON.stringify(result, null, 2))
  else console.log([writtenText(plan), ...notes, usageText(plan, lang)].join('\n\n'))
}

function printStale(out: string, stale: readonly string[]): void {
  if (stale.length === 0) return console.log(`${out} is up to date`)
  for (const path of stale) console.log(`Stale: ${path}`)
  const problem = `Cannot accept "${out}": it is not up to date`
  const name = styleText(['bold', 'red'], 'hookbench:', { stream: process.stderr })
  console.error(`${name} ${problem}; run the same command without --check`)
}

const LISTED = 12

function writtenText({ out, changed, unchanged, gone }: WritePlan): string {
  const paths = changed.map(({ path }) => `  ${path}`)
  const more = paths.length > LISTED ? [`  and ${paths.length - LISTED} more`] : []
  return [
    paths.length === 0 ? `${out} is up to date` : `Wrote ${countFiles(paths.length)} into ${out}:`,
    ...paths.slice(0, LISTED),
    ...more,
    ...(paths.length > 0 && unchanged.length > 0 ? [`${countFiles(unchanged.length)} unchanged`] : []),
    ...gone.map((path) => `Removed ${path}, which is no longer generated`),
  ].join('\n')
}

function countFiles(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}

function usageText({ out }: WritePlan, lang: Language): string {
  const folder = basename(resolve(out))
  switch (lang) {
    case 'ts':
      return [
        'Import it by its path, such as',
        `  import { parseNotification, type Notification } from './${folder}/index.js'`,
        '  const parsed = parseNotification(JSON.parse(body), { tolerant: true })',
      ].join('\n')
    case 'json-schema':
      return 'Each file is self-contained (JSON Schema 2020-12). Use the schemas in tolerant/ for received bodies.'
    case 'openapi':
      return 'openapi.json is one OpenAPI 3.1 document with every schema, operation and webhook.'
    default:
      return lang satisfies never
  }
}

/** Reads a vocabulary file, or the vocabulary of a config file. Throws a RangeError that names the file. */
export function readVocabulary(file: string): Vocabulary {
  const given = readData(file)
  const words = isMap(given) && isMap(given['vocabulary']) ? given['vocabulary'] : given
  if (!isMap(words)) {
    throw new RangeError(
      `Cannot use vocabulary "${file}": it is not a map. Write a line like "extwallet: acmepay"`,
    )
  }
  const stray = Object.entries(words).find(([, word]) => typeof word !== 'string')
  if (stray !== undefined) {
    const [word, value] = stray
    const problem = `"${word}" is ${JSON.stringify(value)}, which is not text; give a word, or put all words under "vocabulary:"`
    throw new RangeError(`Cannot use vocabulary "${file}": ${problem}`)
  }
  return Object.fromEntries(Object.entries(words).map(([word, said]) => [word, String(said)]))
}

function readData(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const isMissing = isError(cause) && 'code' in cause && cause.code === 'ENOENT'
    const reason = isMissing ? 'it does not exist' : firstLine(cause)
    throw new RangeError(`Cannot read vocabulary "${file}": ${reason}. Name a YAML or JSON file`, { cause })
  }
  try {
    return parse(text)
  } catch (cause) {
    throw new RangeError(`Cannot read vocabulary "${file}": ${firstLine(cause)}. Correct its YAML or JSON`, {
      cause,
    })
  }
}

function firstLine(cause: unknown): string {
  const [line = ''] = errorMessage(cause).split('\n')
  return line.replace(/[:.]$/, '')
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface WritePlan {
  readonly out: string
  readonly changed: readonly PlatformFile[]
  readonly unchanged: readonly string[]
  readonly gone: readonly string[]
}

/** Compares the files with the folder and writes nothing. Throws RangeError if a file to replace was not generated. */
export function planWrites(out: string, files: readonly PlatformFile[], language: Language): WritePlan {
  if (out === '') throw new RangeError('Cannot write into "": it is not a folder; give --out a name')
  if (existsSync(out) && !statSync(out).isDirectory()) {
    throw new RangeError(`Cannot write into "${out}": it is not a folder. Give --out another`)
  }
  const paths = new Set(files.map(({ path }) => path))
  const present = new Map(files.map(({ path }) => [path, textAt(join(out, path))]))
  const foreign = files.find(({ path }) => {
    const text = present.get(path)
    return text !== undefined && readMark(text) === undefined
  })
  if (foreign) {
    const path = join(out, foreign.path)
    throw new RangeError(
      `Cannot write "${path}": it was not generated. Move it away, or give --out another folder`,
    )
  }
  const isSame = ({ path, text }: PlatformFile) => present.get(path) === text
  return {
    out,
    changed: files.filter((file) => !isSame(file)),
    unchanged: files.filter(isSame).map(({ path }) => path),
    gone: filesIn(out, files).filter(
      (path) => !paths.has(path) && readMark(textAt(join(out, path)) ?? '') === language,
    ),
  }
}

function filesIn(out: string, files: readonly PlatformFile[]): string[] {
  const folders = [...new Set(['.', 'tolerant', ...files.map(({ path }) => dirname(path))])]
  return folders.flatMap((folder) => {
    const path = join(out, folder)
    if (!existsSync(path) || !statSync(path).isDirectory()) return []
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|json)$/.test(entry.name))
      .map(({ name }) => (folder === '.' ? name : `${folder}/${name}`))
  })
}

function textAt(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  return statSync(path).isFile() ? readFileSync(path, 'utf8') : ''
}

/** Writes all files under temporary names before it replaces the first file. Throws RangeError if a file cannot be written. */
export function writePlan({ out, changed, gone }: WritePlan): void {
  const drafts: string[] = []
  try {
    mkdirSync(out, { recursive: true })
    for (const { path, text } of changed) {
      const draft = join(out, `${path}.draft`)
      mkdirSync(dirname(draft), { recursive: true })
      drafts.push(draft)
      writeFileSync(draft, text)
    }
    for (const { path } of changed) renameSync(join(out, `${path}.draft`), join(out, path))
    for (const path of gone) rmSync(join(out, path))
  } catch (cause) {
    const reason = errorMessage(cause)
    throw new RangeError(`Cannot write into "${out}": ${reason}. Give --out a folder that you may write to`, {
      cause,
    })
  } finally {
    for (const draft of drafts) rmSync(draft, { force: true })
  }
}

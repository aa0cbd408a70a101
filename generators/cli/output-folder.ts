import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorMessage } from '../../spec/errors.ts'
import { readMark, type Language, type PlatformFile } from '../platform/platform-file.ts'

export interface WritePlan {
  readonly out: string
  readonly changed: readonly PlatformFile[]
  /** The paths of files that already have the generated text. */
  readonly unchanged: readonly string[]
  readonly gone: readonly string[]
}

/** Compares the files with the folder and writes nothing. Throws RangeError for a file that was not generated. */
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

/** Lists the files in the target folders. Excludes other subfolders. */
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

/** Writes all files before it replaces the first one. Throws RangeError if it cannot write. */
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

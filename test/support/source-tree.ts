import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Text by path, from the repository's root on, with `/` between its parts. */
export type SourceTree = ReadonlyMap<string, string>

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Every source file below these folders of the repository. */
export function readSourceTree(folders: readonly string[]): SourceTree {
  const paths = folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

/** What a file imports or loads: a path from the root on with `/` before it, or what is no path of ours as it stands. */
export function importsOf(path: string, text: string): string[] {
  return [...codeOf(text).matchAll(/\b(from|import|import\(|require\(|load\()\s*['"]([^'"]+)/g)].map(
    ([, way, target = '']) => {
      // The launcher loads by a path from the root on.
      if (way === 'load(') return `/${target}`
      return target.startsWith('.') ? posix.join('/', posix.dirname(path), target) : target
    },
  )
}

const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//
const STRING = /'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"/
const TEMPLATE = /`(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/
/** A slash begins a pattern where no division can stand. */
const PATTERN =
  /(?<=(?:[(,=:[!&|?{;+\-*%<>~^]|\breturn|\bcase)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//
const PLAIN = /[^/'"`{}]+|[^]/
const TOKEN = new RegExp(
  [COMMENT, STRING, TEMPLATE, PATTERN, PLAIN].map(({ source }) => source).join('|'),
  'y',
)
const REST_OF_TEMPLATE = /\}(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y

/** The text without its comments, and without what its strings and patterns say; the names of modules stay. */
export function codeOf(text: string): string {
  const parts: string[] = []
  let before = ''
  /** For each open brace: whether it belongs to a template. */
  const open: boolean[] = []
  for (let at = 0; at < text.length;) {
    const isRest = text.charAt(at) === '}' && open.at(-1) === true
    const token = tokenAt(text, at, isRest ? REST_OF_TEMPLATE : TOKEN)
    if (token.startsWith('}')) open.pop()
    if (token === '{') open.push(false)
    if (/^[`}][^]*\$\{$/.test(token)) open.push(true)
    parts.push(isRest ? withoutText(token) : codeOfToken(token, before))
    before = token
    at += token.length
  }
  return parts.join('')
}

function tokenAt(text: string, at: number, token: RegExp): string {
  token.lastIndex = at
  return token.exec(text)?.[0] ?? text.charAt(at)
}

function codeOfToken(token: string, before: string): string {
  if (token.startsWith('//') || token.startsWith('/*')) return linesOf(token)
  const isQuoted = /^['"]./.test(token)
  if (isQuoted && /\b(from|import|import\(|require\(|load\()\s*$/.test(before)) return token
  if (isQuoted || token.startsWith('`') || /^\/./.test(token)) return withoutText(token)
  return token
}

/** The ends of a token stay, so that the code around it reads as before. */
function withoutText(token: string): string {
  return `${token.charAt(0)}${linesOf(token)}${token.endsWith('${') ? '${' : token.slice(-1)}`
}

function linesOf(token: string): string {
  return token.replaceAll(/[^\n]/g, '')
}

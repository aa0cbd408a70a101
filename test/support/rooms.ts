import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The layers of each folder. Each layer may only import earlier layers. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  sandbox: [
    'engine/core',
    'engine/state',
    'engine/objects',
    'engine/notifications',
    'engine/faults',
    'engine/delivery',
    'engine/payments',
    'api/operations',
    'api/control',
    'api/http',
    'adapters',
    'compose',
    'client',
    'in-process',
    'cli',
    'dashboard',
  ],
  contracts: [
    'explored-case.ts',
    'finding.ts',
    'check.ts',
    'toolkit',
    'explore',
    'checks',
    'catalogue.ts',
    'probes',
    'run',
    'config',
    'report',
    'judge',
    'load',
    'frameworks',
    'cli',
    'reference-receiver',
  ],
}

/** Entry files. Entry files import all layers, and no layer imports an entry file. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['index.ts', 'internal.ts'],
  contracts: ['index.ts'],
}

export function looseFiles(tree: SourceTree): string[] {
  return [...tree.keys()].filter((path) => {
    const [folder = '', ...rest] = path.split('/')
    return ROOMS[folder] && placeOf(path) === undefined && !DOORS[folder]?.includes(rest.join('/'))
  })
}

export function importsAgainstOrder(tree: SourceTree): string[] {
  return localImports(tree).flatMap(([path, target]) => {
    const [from, to] = [placeOf(path), placeOf(target)]
    const [folder = '', ...rest] = target.split('/')
    const isFromInside = path.startsWith(`${folder}/`) && from !== undefined
    const isDoor = isFromInside && DOORS[folder]?.includes(rest.join('/')) === true
    const isLater = isFromInside && from !== undefined && to !== undefined && to > from
    return isDoor || isLater ? [`${path} -> ${target}`] : []
  })
}

export function folderCycles(tree: SourceTree): string[][] {
  const imports = localImports(tree)
  const folders = new Set(
    [...tree.keys()].flatMap((path) => {
      const parts = path.split('/').slice(0, -1)
      return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    }),
  )
  return ['', ...folders].flatMap((folder) => {
    const neighbour = (path: string) => {
      if (folder !== '' && !path.startsWith(`${folder}/`)) return undefined
      const [name = ''] = path.slice(folder === '' ? 0 : folder.length + 1).split('/')
      return folder === '' ? name : `${folder}/${name}`
    }
    return cycles(
      imports.flatMap(([path, target]) => {
        const [from, to] = [neighbour(path), neighbour(target)]
        return from === undefined || to === undefined || from === to ? [] : [[from, to] as const]
      }),
    )
  })
}

function placeOf(path: string): number | undefined {
  const [folder = '', ...rest] = path.split('/')
  const inside = rest.join('/')
  const index = ROOMS[folder]?.findIndex((room) => inside === room || inside.startsWith(`${room}/`)) ?? -1
  return index === -1 ? undefined : index
}

type Arrow = readonly [from: string, to: string]

function localImports(tree: SourceTree): Arrow[] {
  return [...tree].flatMap(([path, text]) =>
    importsOf(path, text)
      .filter((target) => target.startsWith('/'))
      .map((target) => [path, target.slice(1)] as const),
  )
}

/** Finds cycles with Tarjan's strongly connected components. */
function cycles(arrows: readonly Arrow[]): string[][] {
  const targets = Map.groupBy(arrows, ([from]) => from)
  const order = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []

  function visit(node: string): number {
    let low = order.size
    order.set(node, low)
    stack.push(node)
    const own = low
    for (const [, target] of targets.get(node) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target))
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low)
    }
    if (low === own) {
      const ring = stack.splice(stack.indexOf(node))
      if (ring.length > 1) found.push(ring.toSorted())
    }
    return low
  }

  for (const node of targets.keys()) if (!order.has(node)) visit(node)
  return found
}

/** Texts by path. Paths start at the repository root and use `/`. */
export type SourceTree = ReadonlyMap<string, string>

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')

export function readSourceTree(folders: readonly string[]): SourceTree {
  const paths = folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

/** Returns imported paths, which start with `/` at the repository root, and package names. */
export function importsOf(path: string, text: string): string[] {
  return [...codeOf(text).matchAll(/\b(from|import|import\(|require\(|load\()\s*['"]([^'"]+)/g)].map(
    ([, way, target = '']) => {
      if (way === 'load(') return `/${target}`
      return target.startsWith('.') ? posix.join('/', posix.dirname(path), target) : target
    },
  )
}

const COMMENT = /\/\/[^\n]*|\/\*[^]*?\*\//

const STRING = /'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"/

const TEMPLATE = /`(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/
/** A slash starts a regular expression in places where a division is impossible. */
const PATTERN =
  /(?<=(?:[(,=:[!&|?{;+\-*%<>~^]|\breturn|\bcase)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//
const PLAIN = /[^/'"`{}]+|[^]/

const TOKEN = new RegExp(
  [COMMENT, STRING, TEMPLATE, PATTERN, PLAIN].map(({ source }) => source).join('|'),
  'y',
)

const REST_OF_TEMPLATE = /\}(?:\\[^]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y

/** Removes comments, and the content of strings and regular expressions. Keeps module names. */
export function codeOf(text: string): string {
  const parts: string[] = []
  let before = ''
  /** True for each open brace of a template. */
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

function withoutText(token: string): string {
  return `${token.charAt(0)}${linesOf(token)}${token.endsWith('${') ? '${' : token.slice(-1)}`
}

function linesOf(token: string): string {
  return token.replaceAll(/[^\n]/g, '')
}

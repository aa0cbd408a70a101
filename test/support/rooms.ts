import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

/** The layers of each folder. Each layer may import only earlier layers. */
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

/** Finds cycles with Tarjan's SCC algorithm. */
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

/** Texts by path. Paths are relative to the repository root and use `/`. */
export type SourceTree = ReadonlyMap<string, string>

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')

export function readSourceTree(folders: readonly string[]): SourceTree {
  const paths = folders
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

interface Parsed {
  readonly imports: readonly string[]
  readonly code: string
}

const parsedByPath = new Map<string, Parsed>()

/** Returns package names and imported paths, which start with `/` at the repository root. */
export const importsOf = (path: string, text: string) => parse(path, text).imports

/** Returns the text with `''` in place of each comment, string and regular expression. */
export const codeOf = (path: string, text: string) => parse(path, text).code

function parse(path: string, text: string): Parsed {
  const known = parsedByPath.get(path)
  if (known) return known
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`Cannot parse ${path}: ${errors[0]?.message}`)
  const imports: string[] = []
  const hidden: { readonly start: number; readonly end: number }[] = [...comments]
  visitNodes(program, (node) => {
    imports.push(...importsIn(node, path))
    if (isText(node)) hidden.push(node)
  })
  const starts = [0, ...hidden.toSorted((one, other) => one.start - other.start).map(({ end }) => end)]
  const ends = [...hidden.map(({ start }) => start).toSorted((one, other) => one - other), text.length]
  const parsed = { imports, code: starts.map((start, index) => text.slice(start, ends[index])).join("''") }
  parsedByPath.set(path, parsed)
  return parsed
}

// oxlint-disable-next-line typescript/no-explicit-any -- a node of any kind
type AnyNode = any

function visitNodes(value: AnyNode, visit: (node: AnyNode) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (typeof value.type === 'string') visit(value)
  for (const child of Object.values(value)) visitNodes(child, visit)
}

function isText({ type, value, regex }: AnyNode): boolean {
  return (
    type === 'TemplateElement' || (type === 'Literal' && (typeof value === 'string' || regex !== undefined))
  )
}

/** In `bin/`, `load()` takes paths from the repository root. */
function importsIn({ source, callee, arguments: given }: AnyNode, path: string): readonly string[] {
  const [first] = given ?? []
  const isLoad = callee?.name === 'load' && path.startsWith('bin/')
  const target: unknown = isLoad || callee?.name === 'require' ? first?.value : source?.value
  if (typeof target !== 'string') return []
  if (isLoad) return [`/${target}`]
  return [target.startsWith('.') ? posix.join('/', posix.dirname(path), target) : target]
}

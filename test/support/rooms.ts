import { importsOf, type SourceTree } from './source-tree.ts'

/** The rooms of the folders that have any, in order: each may import what stands before it, and nothing that stands after. */
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

/** What may lie beside the rooms of a folder: its doors, which import from every room and which no room imports. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  sandbox: ['index.ts', 'internal.ts'],
  contracts: ['index.ts'],
}

/** Files that lie in a folder with rooms, but in none of them. */
export function looseFiles(tree: SourceTree): string[] {
  return [...tree.keys()].filter((path) => {
    const [folder = '', ...rest] = path.split('/')
    return ROOMS[folder] && placeOf(path) === undefined && !DOORS[folder]?.includes(rest.join('/'))
  })
}

/** Imports of a room that stands later in the order, or of a door from within. */
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

/** Groups of neighbours within one folder, folders or files, that import each other in a ring. */
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

/** Its room's place in the order; undefined if it is in none. */
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

/** Whatever can be reached from where it can be reached itself: Tarjan's strongly connected components. */
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

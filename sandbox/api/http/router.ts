/** Finds what stands at a path. A trailing slash makes no difference, and fixed parts come before parameters. */
export interface Router<Value> {
  /** The first that `fits` of what stands there. */
  find(path: string, fits: (value: Value) => boolean): Found<Value> | undefined
}

export interface Found<Value> {
  readonly value: Value
  /** Decoded, by name. */
  readonly params: Readonly<Record<string, string>>
}

interface PathEnd<Value> {
  readonly value: Value
  /** The names of the parameters, by where they stand in the path. */
  readonly names: readonly (readonly [name: string, index: number])[]
}

interface Branch<Value> {
  readonly fixed: Map<string, Branch<Value>>
  parameter: Branch<Value> | undefined
  end: PathEnd<Value> | undefined
}

/** By paths with `{name}` for each parameter. */
export function createRouter<Value>(valueByPath: ReadonlyMap<string, Value>): Router<Value> {
  const root = createBranch<Value>()
  for (const [path, value] of valueByPath) addPath(root, path, value)
  return {
    find(path, fits) {
      const parts = splitPath(path)
      const end = findEnd(root, { parts, fits }, 0)
      if (!end) return undefined
      const params: Record<string, string> = {}
      for (const [name, index] of end.names) params[name] = parts[index] ?? ''
      return { value: end.value, params }
    },
  }
}

function createBranch<Value>(): Branch<Value> {
  return { fixed: new Map(), parameter: undefined, end: undefined }
}

function addPath<Value>(root: Branch<Value>, path: string, value: Value): void {
  let branch = root
  const names: [name: string, index: number][] = []
  for (const [index, part] of path.slice(1).split('/').entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    const known = name === undefined ? branch.fixed.get(part) : branch.parameter
    const next = known ?? createBranch<Value>()
    if (name === undefined) branch.fixed.set(part, next)
    else {
      branch.parameter = next
      names.push([name, index])
    }
    branch = next
  }
  branch.end = { value, names }
}

interface Search<Value> {
  readonly parts: readonly string[]
  readonly fits: (value: Value) => boolean
}

function findEnd<Value>(
  { fixed, parameter, end }: Branch<Value>,
  search: Search<Value>,
  index: number,
): PathEnd<Value> | undefined {
  const part = search.parts[index]
  if (part === undefined) return end && search.fits(end.value) ? end : undefined
  const next = fixed.get(part)
  const found = next && findEnd(next, search, index + 1)
  if (found || !parameter || part === '') return found
  return findEnd(parameter, search, index + 1)
}

function splitPath(path: string): string[] {
  const parts = path.slice(1, path.length > 1 && path.endsWith('/') ? -1 : undefined).split('/')
  return path.includes('%') ? parts.map(decodePart) : parts
}

/** What is no UTF-8, or no escape at all, stays as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
      try {
        return decodeURIComponent(escapes)
      } catch {
        return escapes
      }
    })
  }
}

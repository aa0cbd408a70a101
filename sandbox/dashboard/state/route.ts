import { DEFAULT_WORLD } from '../../../spec/world-name.ts'

/** The fragment of the address as a route, such as `#/`, `#/jobs/ID`, `#/world/items/ID?at=INSTANT`. */
export interface Route {
  /** The first word. Empty for the first screen. */
  readonly screen: string
  readonly path: readonly string[]
  /** Epoch milliseconds. Undefined for now. */
  readonly at?: number | undefined
}

export const HOME: Route = { screen: '', path: [] }

/** Parses a fragment. Returns the first screen if it is not valid. */
export function parseRoute(hash: string): Route {
  if (!hash.startsWith('#/')) return HOME
  const [words = '', instant = ''] = hash.slice(2).split('?at=')
  const [screen = '', ...path] = words.split('/').map(decode)
  const at = Date.parse(decode(instant))
  return { screen, path: path.filter((word) => word !== ''), ...(at > 0 && { at }) }
}

export function formatRoute({ screen, path, at }: Route): string {
  const past = at === undefined ? '' : `?at=${new Date(at).toISOString()}`
  return `#/${[screen, ...path].map(encodeURIComponent).join('/')}${past}`
}

/** A malformed encoding is kept as text. */
function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

/**
 * Returns the world of `?world=anna`. The query keeps the world in every link, and another world is a new
 * page.
 */
export function parseWorld(search: string): string | undefined {
  const name = new URLSearchParams(search).get('world')
  return name === DEFAULT_WORLD || name === '' ? undefined : (name ?? undefined)
}

export function formatWorld(world: string | undefined): string {
  return world === undefined || world === DEFAULT_WORLD ? '/' : `/?world=${encodeURIComponent(world)}`
}

/** Returns the decoded token of `#token=…`. */
export function tokenInAddress(hash: string): string | undefined {
  const [, given] = /^#token=(.+)/s.exec(hash) ?? []
  if (given === undefined) return undefined
  try {
    return decodeURIComponent(given)
  } catch {
    // The user typed it without encoding.
    return given
  }
}

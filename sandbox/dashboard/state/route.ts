import { DEFAULT_WORLD } from '../../../spec/world-name.ts'

/** The route in the fragment of the address, such as `#/`, `#/jobs/ID` or `#/world/items/ID?at=INSTANT`. */
export interface Route {
  /** The first word of the route. Empty for the start screen. */
  readonly screen: string
  readonly path: readonly string[]
  /** The time that the page shows, in milliseconds since the Unix epoch. Undefined means the present. */
  readonly at?: number | undefined
}

export const HOME: Route = { screen: '', path: [] }

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

/** Decodes a word of the route. An invalid percent-encoding stays unchanged, because a user may type a token without encoding. */
function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

/** Returns the world in the query, such as `anna` for `?world=anna`. Links keep it. A change of the world reloads the page. */
export function parseWorld(search: string): string | undefined {
  const name = new URLSearchParams(search).get('world')
  return name === DEFAULT_WORLD || name === '' ? undefined : (name ?? undefined)
}

export function formatWorldAddress(world: string | undefined): string {
  return world === undefined || world === DEFAULT_WORLD ? '/' : `/?world=${encodeURIComponent(world)}`
}

export function tokenInAddress(hash: string): string | undefined {
  const [, given] = /^#token=(.+)/s.exec(hash) ?? []
  return given === undefined ? undefined : decode(given)
}

/** What of the page is shown, as the fragment of its address says: `#/`, `#/jobs/ID`, `#/world/items/ID?at=INSTANT`. */
export interface Route {
  /** The first word; empty for the timeline. */
  readonly screen: string
  /** The words after it. */
  readonly path: readonly string[]
  /** The instant that is looked at, epoch milliseconds; undefined for now. */
  readonly at?: number | undefined
}

export const HOME: Route = { screen: '', path: [] }

/** The route of a fragment; home for what is none. */
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

/** A word that is not encoded as it should be stands for itself. */
function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

/** What of the page is shown, as the fragment of its address says: `#/`, `#/jobs/ID`, `#/world/items/ID`. */
export interface Route {
  /** The first word; empty for the timeline. */
  readonly screen: string
  /** The words after it. */
  readonly path: readonly string[]
}

export const HOME: Route = { screen: '', path: [] }

/** The route of a fragment; home for what is none. */
export function parseRoute(hash: string): Route {
  if (!hash.startsWith('#/')) return HOME
  const [screen = '', ...path] = hash.slice(2).split('/').map(decode)
  return { screen, path: path.filter((word) => word !== '') }
}

export function formatRoute({ screen, path }: Route): string {
  return `#/${[screen, ...path].map(encodeURIComponent).join('/')}`
}

/** A word that is not encoded as it should be stands for itself. */
function decode(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

import { DEFAULT_WORLD } from '../../../spec/world-name.ts'

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

import { DEFAULT_WORLD } from '../../../spec/world-name.ts'

/**
 * The world that the query of an address names, such as `?world=anna`; undefined for the default one. It stands before the fragment, so
 * that every link of the page keeps it, and another world is another page, with nothing left of the one before.
 */
export function parseWorld(search: string): string | undefined {
  const name = new URLSearchParams(search).get('world')
  return name === DEFAULT_WORLD || name === '' ? undefined : (name ?? undefined)
}

/** The address of a world's page on its server, without a fragment. */
export function formatWorld(world: string | undefined): string {
  return world === undefined || world === DEFAULT_WORLD ? '/' : `/?world=${encodeURIComponent(world)}`
}

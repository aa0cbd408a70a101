import type { NotifiedType } from '../../../spec/notifications.ts'

/**
 * The text of Shows as they were answered last, which was checked against the spec then. To read, check and print an object
 * again costs as much as all the rest of a call.
 */
export interface ShowCache {
  /** What is another one after each change of the object; undefined if there is no such object. */
  readonly versionOf: (type: NotifiedType, id: string) => number | undefined
  /** As long as the version is the same one. */
  find(operation: string, id: string, version: number): string | undefined
  keep(operation: string, id: string, shown: Shown): void
}

interface Shown {
  readonly version: number
  readonly text: string
}

/** How many characters are kept; what came first goes first. */
const MOST_KEPT = 16_000_000

export function createShowCache(versionOf: ShowCache['versionOf'], mostKept = MOST_KEPT): ShowCache {
  const shownByKey = new Map<string, Shown>()
  let size = 0

  function drop(key: string): void {
    size -= shownByKey.get(key)?.text.length ?? 0
    shownByKey.delete(key)
  }

  return {
    versionOf,
    find(operation, id, version) {
      const shown = shownByKey.get(`${operation} ${id}`)
      return shown?.version === version ? shown.text : undefined
    },
    keep(operation, id, shown) {
      const key = `${operation} ${id}`
      drop(key)
      shownByKey.set(key, shown)
      size += shown.text.length
      for (const oldest of shownByKey.keys()) {
        if (size <= mostKept) break
        drop(oldest)
      }
    },
  }
}

import type { NotifiedType } from '../../../spec/notifications.ts'

export type ShowCache = ReturnType<typeof createShowCache>

/** The maximum number of cached characters. The oldest texts are dropped first. */
const MAX_KEPT = 16_000_000

/** Caches recent Show replies that passed the schema check, because a call without the cache takes twice as long. */
export function createShowCache(
  versionOf: (type: NotifiedType, id: string) => number | undefined,
  mostKept = MAX_KEPT,
) {
  const shownByKey = new Map<string, { readonly version: number; readonly text: string }>()
  let size = 0

  function drop(key: string): void {
    size -= shownByKey.get(key)?.text.length ?? 0
    shownByKey.delete(key)
  }

  return {
    versionOf,
    find(operation: string, id: string, version: number): string | undefined {
      const shown = shownByKey.get(`${operation} ${id}`)
      return shown?.version === version ? shown.text : undefined
    },
    keep(operation: string, id: string, shown: { readonly version: number; readonly text: string }): void {
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

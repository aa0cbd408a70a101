import type { LookupAddress, LookupAllOptions } from 'node:dns'

export type Lookup = (hostname: string, options: LookupAllOptions, callback: LookupCallback) => void

type LookupCallback = (error: Error | null, addresses: readonly LookupAddress[]) => void

export interface BoundedLookup {
  readonly lookup: Lookup
  /** Starts no further lookup. Waiting callers get no answer. */
  close(): void
}

interface Query {
  readonly start: () => void
  readonly callbacks: LookupCallback[]
}

/** Always resolves at once. */
const LOCAL = 'localhost'

const MAX_KNOWN = 1_000

/**
 * Resolves names of other machines one after the other, and each name once for simultaneous callers. Node resolves two names at
 * once, and a name with a mute server blocks one of the two places until the system gives up. So `localhost` always has a place.
 * A caller that would have to wait gets the last answer, if there is one.
 */
export function createBoundedLookup(lookup: Lookup): BoundedLookup {
  const known = new Map<string, readonly LookupAddress[]>()
  /** By name and options. The first one is in flight. */
  const queries = new Map<string, Query>()
  let isClosed = false

  function startFirst(): void {
    const [first] = queries.values()
    if (!isClosed) first?.start()
  }

  function createQuery(hostname: string, options: LookupAllOptions, key: string): Query {
    const callbacks: LookupCallback[] = []
    const start = () =>
      lookup(hostname, options, (error, addresses) => {
        queries.delete(key)
        if (known.size >= MAX_KNOWN) known.clear()
        if (error) known.delete(key)
        else known.set(key, addresses)
        for (const callback of callbacks) callback(error, addresses)
        startFirst()
      })
    return { start, callbacks }
  }

  return {
    lookup(hostname, options, callback) {
      if (hostname === LOCAL) return lookup(hostname, options, callback)
      const key = JSON.stringify([hostname, options])
      const last = queries.size > 0 ? known.get(key) : undefined
      const query = queries.get(key) ?? createQuery(hostname, options, key)
      if (!last) query.callbacks.push(callback)
      if (!queries.has(key)) {
        queries.set(key, query)
        if (queries.size === 1) startFirst()
      }
      if (last) callback(null, last)
    },
    close() {
      isClosed = true
    },
  }
}

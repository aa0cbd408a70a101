import type { LookupAddress, LookupAllOptions } from 'node:dns'

export type Lookup = (hostname: string, options: LookupAllOptions, callback: LookupCallback) => void

type LookupCallback = (error: Error | null, addresses: readonly LookupAddress[]) => void

export interface BoundedLookup {
  readonly lookup: Lookup
  /** Prevents further lookups. Callbacks of waiting lookups are never called. */
  close(): void
}

interface Query {
  readonly start: () => void
  readonly callbacks: LookupCallback[]
}

const LOCAL = 'localhost'

const MAX_KNOWN = 1_000

/**
 * Runs one lookup at a time, except for `localhost`. Node runs at most two lookups at a time, and an unresponsive DNS server can
 * block one of them. A caller that would have to wait gets the last known result for the name.
 */
export function createBoundedLookup(lookup: Lookup): BoundedLookup {
  const known = new Map<string, readonly LookupAddress[]>()
  /** The waiting lookups, by name and options. Only the first lookup in the map is in flight. */
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

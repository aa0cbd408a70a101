import type { LookupAddress, LookupAllOptions } from 'node:dns'

/** As `dns.lookup` with `all: true`. */
export type Lookup = (hostname: string, options: LookupAllOptions, callback: LookupCallback) => void

type LookupCallback = (error: Error | null, addresses: readonly LookupAddress[]) => void

export interface BoundedLookup {
  readonly lookup: Lookup
  /** Asks for nothing more: what waits is never answered. */
  close(): void
}

/** One query, and who waits for its answer. */
interface Query {
  readonly hostname: string
  readonly options: LookupAllOptions
  readonly callbacks: LookupCallback[]
}

/** Always found at once, as long as there is a thread for it. */
const LOCAL = 'localhost'

const MOST_KNOWN = 1_000

/**
 * Node looks up two names at once, and a name whose server is mute takes its place until the system gives up. So that such names
 * hold up neither `localhost` nor whoever was found before: a name is looked up once for all who ask for it at the same time; names
 * of other machines one after the other, which leaves a place for this one; and who would have to wait gets the last answer, if
 * there is one. The first look-up of another name does wait: on which server it depends is not known.
 */
export function createBoundedLookup(lookup: Lookup): BoundedLookup {
  const queries = new Map<string, Query>()
  const known = new Map<string, readonly LookupAddress[]>()
  const queue: string[] = []
  let isBusy = false

  function next(): void {
    const key = isBusy ? undefined : queue.shift()
    const query = key === undefined ? undefined : queries.get(key)
    if (key === undefined || !query) return
    isBusy = true
    lookup(query.hostname, query.options, (error, addresses) => {
      isBusy = false
      queries.delete(key)
      remember(key, error ? undefined : addresses, known)
      for (const callback of query.callbacks) callback(error, addresses)
      next()
    })
  }

  function ask(key: string, query: Query): void {
    const present = queries.get(key)
    if (present) present.callbacks.push(...query.callbacks)
    else {
      queries.set(key, query)
      queue.push(key)
    }
    next()
  }

  return {
    lookup(hostname, options, callback) {
      if (hostname === LOCAL) return lookup(hostname, options, callback)

      const key = JSON.stringify([hostname, options])
      const last = isBusy ? known.get(key) : undefined
      // What has changed since is known to the next who asks.
      ask(key, { hostname, options, callbacks: last ? [] : [callback] })
      if (last) callback(null, last)
    },
    close() {
      queue.length = 0
    },
  }
}

function remember(
  key: string,
  addresses: readonly LookupAddress[] | undefined,
  known: Map<string, readonly LookupAddress[]>,
): void {
  if (known.size >= MOST_KNOWN) known.clear()
  if (addresses) known.set(key, addresses)
  else known.delete(key)
}

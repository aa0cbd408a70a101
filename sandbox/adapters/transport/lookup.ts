import type { LookupAddress, LookupAllOptions } from 'node:dns'

/** As `dns.lookup` with `all: true`. */
export type Lookup = (hostname: string, options: LookupAllOptions, callback: LookupCallback) => void

type LookupCallback = (error: Error | null, addresses: readonly LookupAddress[]) => void

/** Half of Node's threads: local names, and the store's waits for the disk, need the others. */
const MOST_NAMES = 2

const LOCAL = 'localhost'

/**
 * Looks a name up once for all who ask for it at the same time, and few names at once: each takes a thread until its name server
 * has answered. A mute one must hold up nobody but those who ask for its names.
 */
export function createBoundedLookup(lookup: Lookup): Lookup {
  const callbacksByQuery = new Map<string, LookupCallback[]>()
  const queue: (() => void)[] = []
  let underWay = 0

  function next(): void {
    if (underWay >= MOST_NAMES) return
    const begin = queue.shift()
    if (begin === undefined) return
    underWay += 1
    begin()
  }

  return (hostname, options, callback) => {
    if (hostname === LOCAL) return lookup(hostname, options, callback)

    const query = JSON.stringify([hostname, options])
    const callbacks = callbacksByQuery.get(query)
    if (callbacks) return void callbacks.push(callback)

    const asking = [callback]
    callbacksByQuery.set(query, asking)
    queue.push(() =>
      lookup(hostname, options, (...answer) => {
        callbacksByQuery.delete(query)
        underWay -= 1
        for (const each of asking) each(...answer)
        next()
      }),
    )
    next()
  }
}

import { readFileSync } from 'node:fs'

/** Descriptors for the store, the event loops and the ports of the process. */
const OWN = 32

/** The connections for callers of the sandbox, if the limit of the process is high. */
const MOST_CALLERS = 256

/**
 * Returns the limit of deliveries in flight that leaves connections for callers. Infinite without a limit of
 * the system.
 */
export function mostPosts(limit = openFilesLimit()): number {
  const free = limit - OWN
  return Math.max(1, free - Math.min(Math.floor(free / 2), MOST_CALLERS))
}

function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

import { readFileSync } from 'node:fs'

/** The process itself opens the store, its loops and its ports. */
const OWN = 32

/** Calls to the sandbox get so many connections, where the process may open many. */
const MOST_CALLERS = 256

/** Returns how many deliveries may be in flight, so that the sandbox can still be called. Infinite on a system without a limit. */
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

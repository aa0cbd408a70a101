import { readFileSync } from 'node:fs'

/** What the process has open itself: the store, its loops, its ports. */
const OWN = 32

/** What is left for those who call the sandbox, where the process may open many. */
const MOST_CALLERS = 256

/** How many deliveries may be under way, so that the sandbox can still be called; without a bound where the system tells none. */
export function mostPosts(limit = openFilesLimit()): number {
  const free = limit - OWN
  return Math.max(1, free - Math.min(Math.floor(free / 2), MOST_CALLERS))
}

/** How many files and connections the process may have open. */
function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

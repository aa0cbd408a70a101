import { readFileSync } from 'node:fs'

/** The number of file descriptors that are reserved for the store, the event loops and the listeners. */
const OWN = 32

const MAX_CALLERS = 256

/** Returns how many deliveries may be in flight, so that descriptors remain for callers. Infinity if the system has no limit. */
export function maxConcurrentDeliveries(limit = openFilesLimit()): number {
  const free = limit - OWN
  return Math.max(1, free - Math.min(Math.floor(free / 2), MAX_CALLERS))
}

function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

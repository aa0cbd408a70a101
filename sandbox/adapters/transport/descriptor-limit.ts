import { readFileSync } from 'node:fs'
import type { Outcome, Transport } from '../../engine/core/ports.ts'

/** What the process has open itself: the store, its loops, its ports. */
const OWN = 32

/** What is left for those who call the sandbox, where the process may open many. */
const MOST_CALLERS = 256

const NO_DESCRIPTOR: Outcome = {
  kind: 'unanswered',
  reason: 'out_of_resources',
  message: 'Not sent: the process may open no more connections for deliveries; raise its limit of open files',
}

/** How many deliveries may be under way, so that the sandbox can still be called; without a bound where the system tells none. */
export function mostPosts(limit = openFilesLimit()): number {
  const free = limit - OWN
  return Math.max(1, free - Math.min(Math.floor(free / 2), MOST_CALLERS))
}

/** The transport, with no more posts under way than this: what comes beside them lacks resources, and is put off. */
export function limitPosts<Limited extends Transport>(transport: Limited, most: number): Limited {
  let underWay = 0
  return {
    ...transport,
    async post(message, deadlineMs) {
      if (underWay >= most)
        return {
          outcome: NO_DESCRIPTOR,
          timings: { connectedMs: null, answeredMs: null, totalMs: 0 },
          flags: [],
        }
      underWay++
      try {
        return await transport.post(message, deadlineMs)
      } finally {
        underWay--
      }
    },
  }
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

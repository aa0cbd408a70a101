import { setTimeout as pause } from 'node:timers/promises'
import type { Perform } from '../../sandbox/internal.ts'

/** How long what is under way may take to end, in real milliseconds. */
const GRACE_MS = 5_000

interface Closable {
  readonly perform: Perform
  /** Begins nothing any more, and waits for what is under way. */
  close(): Promise<void>
}

/** Performs what it is asked until it is closed. What is asked later is not done, and its answer never comes. */
export function untilClosed(perform: Perform): Closable {
  const underWay = new Set<Promise<unknown>>()
  let isOpen = true
  return {
    perform(id, ...input) {
      if (!isOpen) return new Promise(() => {})
      const answer = perform(id, ...input)
      const forget = () => void underWay.delete(answer)
      underWay.add(answer)
      answer.then(forget, forget)
      return answer
    },
    async close() {
      isOpen = false
      await Promise.race([Promise.allSettled(underWay), pause(GRACE_MS, undefined, { ref: false })])
    },
  }
}

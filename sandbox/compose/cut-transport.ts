import type { Exchange, Transport } from '../engine/core/ports.ts'

/** A transport whose posts can be given up. */
export interface CutTransport extends Transport {
  /** Ends what is under way as interrupted, for whoever waits for it, and all that comes later. */
  cut(): void
}

const INTERRUPTED: Exchange = {
  outcome: {
    kind: 'unanswered',
    reason: 'interrupted',
    message: 'Cannot finish the exchange: its world was closed',
  },
  timings: { connectedMs: null, answeredMs: null, totalMs: 0 },
  flags: [],
}

/** The part of a transport that one of several worlds has: what others post goes on when this one closes. */
export function withCut({ post }: Transport): CutTransport {
  const pending = new Set<(exchange: Exchange) => void>()
  let isCut = false
  return {
    async post(message, deadlineMs) {
      if (isCut) return INTERRUPTED
      const given = Promise.withResolvers<Exchange>()
      pending.add(given.resolve)
      const sent = post(message, deadlineMs).finally(() => pending.delete(given.resolve))
      return Promise.race([sent, given.promise])
    },
    cut() {
      isCut = true
      for (const resolve of pending) resolve(INTERRUPTED)
      pending.clear()
    },
  }
}

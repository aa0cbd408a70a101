import type { TransportFault } from '../transport-fault.ts'

/** Sends nothing: what the receiver never hears of, and what is retried for it. */
export const drop: TransportFault = () => ({
  post: () =>
    Promise.resolve({
      outcome: {
        kind: 'unanswered',
        reason: 'dropped_by_fault',
        message: 'Not sent: a fault dropped it',
      },
      timings: { connectedMs: null, answeredMs: null, totalMs: 0 },
      flags: [],
    }),
})

import type { TransportFault } from '../transport-fault.ts'

/** The receiver answers, and the service never hears it: as if the time had run out. */
export const lostAnswer: TransportFault = (inner) => ({
  async post(message, deadlineMs) {
    const { others = [], ...exchange } = await inner.post(message, deadlineMs)
    const { outcome, timings } = exchange
    if (outcome.kind === 'unanswered') return { ...exchange, others }
    return {
      outcome: {
        kind: 'unanswered',
        reason: 'header_timeout',
        message: `The answer ${outcome.status} was lost by a fault, as if it had not come in time`,
      },
      timings: { ...timings, answeredMs: null },
      flags: [],
      others: [exchange, ...others],
    }
  },
})

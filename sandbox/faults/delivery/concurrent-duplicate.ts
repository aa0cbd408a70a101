import type { TransportFault } from '../transport-fault.ts'

/** Sends the same several times at once. The answer to the first decides. */
export const concurrentDuplicate: TransportFault = (inner, { copies = 1 }) => ({
  async post(message, deadlineMs) {
    const copied = Array.from({ length: copies }, () => inner.post(message, deadlineMs))
    const [first, ...others] = await Promise.all([inner.post(message, deadlineMs), ...copied])
    return { ...first, others: [...(first.others ?? []), ...others] }
  },
})

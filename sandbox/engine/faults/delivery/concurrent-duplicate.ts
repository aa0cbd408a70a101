import type { TransportFault } from '../transport-fault.ts'
import { beside } from './duplicate.ts'

/** Sends the same several times at once. The answer to the first decides. */
export const concurrentDuplicate: TransportFault = (inner, { copies = 1 }) => ({
  async post(message, deadlineMs) {
    const first = inner.post(message, deadlineMs)
    const copied = Array.from({ length: copies }, () => inner.post(message, deadlineMs))
    return beside(await first, await Promise.all(copied))
  },
})

import type { TransportFault } from '../transport-fault.ts'

/** Sends again what was answered, as a sender does that loses the answer. The first answer decides. */
export const duplicate: TransportFault = (inner, { copies = 1 }) => ({
  async post(message, deadlineMs) {
    const first = await inner.post(message, deadlineMs)
    const others = [...(first.others ?? [])]
    for (let copy = 0; copy < copies; copy++) others.push(await inner.post(message, deadlineMs))
    return { ...first, others }
  },
})

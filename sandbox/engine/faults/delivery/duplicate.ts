import type { Exchange } from '../../core/ports.ts'
import type { TransportFault } from '../transport-fault.ts'

/** Sends again what was answered, as a sender does that loses the answer. The first answer decides. */
export const duplicate: TransportFault = (inner, { copies = 1 }) => ({
  async post(message, deadlineMs) {
    const first = await inner.post(message, deadlineMs)
    const copied: Exchange[] = []
    while (copied.length < copies) copied.push(await inner.post(message, deadlineMs))
    return beside(first, copied)
  },
})

/** The first exchange with its copies beside it, and with what faults had sent beside those. */
export function beside(first: Exchange, copied: readonly Exchange[]): Exchange {
  const others = copied.flatMap(({ others: more = [], ...copy }) => [copy, ...more])
  return { ...first, others: [...(first.others ?? []), ...others] }
}

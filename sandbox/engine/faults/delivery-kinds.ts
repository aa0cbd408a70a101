import type { DeliveryFaultKind } from '../../../spec/faults.ts'
import type { Exchange, Transport } from '../core/ports.ts'
import type { FaultSettings } from '../state/entries.ts'
import { editBody } from './edit-body.ts'
import type { GateOptions } from './gates.ts'
import type { JobRecord } from '../state/job.ts'

export type DeliveryFault = {
  /** Returns true if the fault would not change this delivery. Such a match does not count. */
  readonly exempt?: (delivery: FaultedDelivery, settings: FaultSettings) => boolean
} & (
  | { readonly hold: (job: JobRecord, settings: FaultSettings) => GateOptions }
  | { readonly body: (job: JobRecord, settings: FaultSettings, bodyAt: BodyAt) => string }
  | { readonly wrap: (transport: Transport, settings: FaultSettings) => Transport }
)

export interface FaultedDelivery {
  readonly job: JobRecord
  /** True if the delivery overtakes a delivery that a fault delays. */
  readonly overtakes: boolean
  readonly body: () => string
}

export type BodyAt = (revision: number) => string

export const DELIVERY_FAULTS: { readonly [Kind in DeliveryFaultKind]: DeliveryFault } = {
  duplicate: {
    wrap: (inner, { copies = 1 }) => ({
      async post(message, deadlineMs) {
        const first = await inner.post(message, deadlineMs)
        const copied: Exchange[] = []
        while (copied.length < copies) copied.push(await inner.post(message, deadlineMs))
        return addCopies(first, copied)
      },
    }),
  },

  'concurrent-duplicate': {
    wrap: (inner, { copies = 1 }) => ({
      async post(message, deadlineMs) {
        const first = inner.post(message, deadlineMs)
        const copied = Array.from({ length: copies }, () => inner.post(message, deadlineMs))
        return addCopies(await first, await Promise.all(copied))
      },
    }),
  },

  reorder: {
    // The fault swaps two deliveries, so it does not delay the second delivery.
    exempt: ({ overtakes }) => overtakes,
    hold: ({ registration_id }, { delay_ms }) => ({ afterMs: delay_ms, key: registration_id }),
  },

  delay: {
    hold: (_, { delay_ms }) => ({ afterMs: delay_ms }),
  },

  drop: {
    wrap: () => ({
      post: () =>
        Promise.resolve({
          outcome: {
            kind: 'unanswered',
            reason: 'dropped_by_fault',
            message: 'Not sent: a fault dropped the delivery',
          },
          timings: { connectedMs: null, answeredMs: null, totalMs: 0 },
          flags: [],
        }),
    }),
  },

  'lost-answer': {
    wrap: (inner) => ({
      async post(message, deadlineMs) {
        const { others = [], ...exchange } = await inner.post(message, deadlineMs)
        const { outcome, timings } = exchange
        if (outcome.kind === 'unanswered') return { ...exchange, others }
        return {
          outcome: {
            kind: 'unanswered',
            reason: 'header_timeout',
            message: `A fault discarded the answer ${outcome.status}, as if the answer had not arrived in time`,
          },
          timings: { ...timings, answeredMs: null },
          flags: [],
          others: [exchange, ...others],
        }
      },
    }),
  },

  'modified-body': {
    exempt: ({ body }, settings) => editBody(body(), settings) === body(),
    // The fault changes the body after it is signed, so that the signature is wrong.
    wrap: (inner, settings) => ({
      post: ({ body, ...message }, deadlineMs) =>
        inner.post(
          { ...message, body: Buffer.from(editBody(Buffer.from(body).toString(), settings)) },
          deadlineMs,
        ),
    }),
  },

  'stale-body': {
    exempt: ({ job }) => job.revision === 1,
    body: (job, { revisions_back = 1 }, bodyAt) => bodyAt(job.revision - revisions_back),
  },
}

function addCopies(first: Exchange, copied: readonly Exchange[]): Exchange {
  const others = copied.flatMap(({ others: more = [], ...copy }) => [copy, ...more])
  return { ...first, others: [...(first.others ?? []), ...others] }
}

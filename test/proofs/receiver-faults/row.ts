import type { Lookup } from '../../../sandbox/adapters/transport/lookup.ts'
import type { Exchange } from '../../../sandbox/engine/core/ports.ts'
import type { Stage } from './stage.ts'

/** A receiver fault and its only correct outcome. */
export interface FaultRow {
  /** The id in the list of faults: R for HTTP, T for TLS, D for names and addresses. Several rows can have the same id. */
  readonly id: `${'R' | 'T' | 'D'}${number}`
  readonly what: string
  /** The status or reason, then the flags, such as "200 response_incomplete". If the sandbox rejects the URL, its error code. */
  readonly outcome: string
  readonly open: (stage: Stage) => FaultyReceiver | Promise<FaultyReceiver>
  /** Set if the exchange ends only at its deadline. */
  readonly atDeadline?: true
  /** Set if a successful POST must precede the tested POST. */
  readonly afterSuccess?: true
  /** Set if the receiver needs IPv6, which not every machine has. */
  readonly ipv6?: true
  /** Set if the receiver sends a reset directly after its bytes. Node before version 24 reports the reset as a normal end. */
  readonly sinceNode24?: true
  /** The minimum length of the notification body that the sandbox sends, in bytes. */
  readonly bodyBytes?: number
  /** Describes a problem with the recorded exchange. Returns undefined if the exchange has no problem. */
  readonly inspect?: (exchange: Exchange) => string | undefined
}

type Marks = Omit<FaultRow, 'id' | 'what' | 'outcome' | 'open'>

export const AT_DEADLINE: Marks = { atDeadline: true }
export const AFTER_SUCCESS: Marks = { afterSuccess: true }
export const SINCE_NODE_24: Marks = { sinceNode24: true }

export const fault = (
  ...[id, what, outcome, open, marks]: readonly [
    id: FaultRow['id'],
    what: string,
    outcome: string,
    open: FaultRow['open'],
    marks?: Marks,
  ]
): FaultRow => ({ id, what, outcome, open, ...marks })

export interface FaultyReceiver {
  readonly url: string
  readonly lookup?: Lookup
  /** The PEM certificate of the trusted CA. Defaults to the CA of the test stage. */
  readonly ca?: string
  readonly allowTargets?: readonly string[]
  readonly ownPorts?: readonly number[]
  /** Resolves after the receiver's last action. */
  readonly ready?: () => Promise<unknown>
  /** The expected number of connections to the receiver. */
  readonly connections?: number
}

import type { Lookup } from '../../../sandbox/adapters/transport/lookup.ts'
import type { Exchange } from '../../../sandbox/engine/core/ports.ts'
import type { Stage } from './stage.ts'

/** A way in which a receiver fails, and the one outcome that it must have. */
export interface FaultRow {
  /** Of the list of faults: R for HTTP, T for TLS, D for names and addresses. Several rows may belong to one. */
  readonly id: `${'R' | 'T' | 'D'}${number}`
  /** What the receiver does, or what the URL is. */
  readonly what: string
  /** Status or reason, then the flags: "200 response_incomplete", "http_500", "reset". A URL that is refused: its code. */
  readonly outcome: string
  readonly open: (stage: Stage) => FaultyReceiver | Promise<FaultyReceiver>
  /** Set where the exchange lasts until its deadline. */
  readonly atDeadline?: true
  /** Set where one POST is made, and answered with success, before the one that is judged. */
  readonly afterSuccess?: true
  /** Set where the receiver is at an IPv6 address, which not every machine has. */
  readonly ipv6?: true
  /** Set where a reset comes right after bytes: before Node 24, it shows as an end. */
  readonly sinceNode24?: true
  /** How long the body that is sent must be, at least. */
  readonly bodyBytes?: number
  /** What is wrong with what was kept of the exchange; undefined if nothing is. */
  readonly inspect?: (exchange: Exchange) => string | undefined
}

/** Where the row's receiver is, and what the sandbox knows of the network. */
export interface FaultyReceiver {
  readonly url: string
  readonly lookup?: Lookup
  /** PEM of the CA that is trusted; the stage's own if left out. */
  readonly ca?: string
  readonly allowTargets?: readonly string[]
  readonly ownPorts?: readonly number[]
  /** Resolves when the receiver has done what it does after the first POST. */
  readonly ready?: () => Promise<unknown>
  /** How many connections the receiver must have got in the end. */
  readonly connections?: number
}

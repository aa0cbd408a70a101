import type { PaymentKind } from '../../spec/payments.ts'
import type { ReadingValues } from '../../spec/readings.ts'
import type { SourceAddresses } from '../../sandbox/internal.ts'
import type { Consequences } from './options.ts'

/** What is known of the receiver and of the service that it is checked against. */
export interface Profile {
  readonly readings: ReadingValues
  /** Whether it is to ask the service back: then its absence is a failure. */
  readonly callsBack: boolean
  /** The kinds of payment that the platform has no use for. */
  readonly unused: readonly PaymentKind[]
  /** What the platform acts on, where it is not the usual object. */
  readonly consequences: Consequences
  /** How the receiver can tell where deliveries come from; undefined if it cannot. */
  readonly source: SourceAddresses | undefined
  /** Whether webhooks are signed, with a secret that the receiver has. */
  readonly signed: boolean
  /** How long an answer may take, and from when on it is warned of; real milliseconds. */
  readonly budgetMs: number
  readonly warnMs: number
}

import type { EffectProbe } from './ports.ts'
import type { SourceAddresses } from '../../sandbox/internal.ts'
import type { Generation } from '../../spec/delivery.ts'
import type { ConfigFile, GenerationUrl } from '../../spec/generated/config-types.ts'
import type { PaymentKind } from '../../spec/payments.ts'
import type { ReadingValues } from '../../spec/readings.ts'
import type { Vocabulary } from '../../spec/vocabulary.ts'

/** The configuration of a run with all defaults. */
export interface RunOptions {
  readonly receiver: ReceiverOptions
  readonly service: OwnService | AttachedService
  readonly effects: EffectOptions | undefined
  /** Shell commands. Undefined if a run may not stop the process. */
  readonly process: { readonly stop: string; readonly start: string } | undefined
  /** Undefined if the platform never looks for missed notifications. */
  readonly reconcile: ReconcileOptions | undefined
  readonly budgetMs: number
  readonly warnMs: number
  readonly settleMs: number
  readonly windowMs: number
  /** The duration of the exploration. 0 disables it. */
  readonly exploreMs: number
  /** The chosen readings as the user writes them. */
  readonly readings: Readonly<Record<string, string>>
  readonly vocabulary: Vocabulary
  /** Undefined if webhooks are not signed. */
  readonly secret: string | undefined
  /** The objects that the platform acts on, if not the usual ones. Null for unused kinds. */
  readonly consequences: Consequences
  /** Ids of checks that are known to fail. */
  readonly knownFailures: readonly string[]
  /** Fixes every random value except ids. */
  readonly seed: number
  /** The seed and the salt fix the ids. */
  readonly salt: string
}

export interface ReceiverOptions {
  /** A template with `{object_type}`, or a URL for each type, for each generation. */
  readonly urls: { readonly [Each in Generation]?: GenerationUrl }
  /** PEM of a CA besides those of the sandbox and the public ones. */
  readonly ca: string | undefined
  /** Sent with every delivery. */
  readonly headers: Readonly<Record<string, string>>
  readonly callsBack: boolean
  readonly source: SourceAddresses | undefined
}

/** A sandbox of the run, in memory. */
export interface OwnService {
  readonly kind: 'own'
  readonly port: number
  /** The data folder with its CA. */
  readonly data: string
  readonly allowTargets: readonly string[]
  readonly credentials: Credentials
  /** True if the data needs more than memory. */
  readonly isLarge?: boolean
}

/** A running sandbox. The run saves and restores its world, or uses its own world. */
export interface AttachedService {
  readonly kind: 'attached'
  readonly url: string
  readonly token: string
  /** Undefined means the world of the token, or else the default world. */
  readonly world: string | undefined
  /** A world for this run only. Undefined for an existing world. */
  readonly ownWorld: OwnWorld | undefined
  /** The data folder, if available. */
  readonly data: string
  /** PEMs of its CA. Undefined if neither the data folder nor the CA is available. */
  readonly trustedCas: readonly string[] | undefined
  /** True if the run restores the world at the end. */
  readonly keepsWorld: boolean
  /** True if the sandbox itself started the run and allows no other. */
  readonly isConducted: boolean
  readonly credentials: Credentials
  /** The given credentials. The existing world has the others. */
  readonly given?: Partial<Credentials> | undefined
}

export interface OwnWorld {
  readonly name: string
  /** The world expires after these real seconds. */
  readonly lifetimeSeconds: number
  /** True if the receiver must get its credentials through `process.start`. */
  readonly isToBeTold: boolean
}

interface Credentials {
  readonly client_id: string
  readonly client_secret: string
  readonly email: string
  readonly api_token: string
}

export type EffectOptions =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'function'; readonly read: EffectProbe }
  /** The platform posts its effects to this port. 0 takes a free port. */
  | { readonly kind: 'sink'; readonly port: number }

export type ReconcileOptions =
  { readonly kind: 'command'; readonly command: string } | { readonly kind: 'http'; readonly url: string }

export type Consequences = NonNullable<ConfigFile['consequences']>

/** The facts about the receiver and its service that checks use. */
export interface Profile {
  readonly readings: ReadingValues
  /** True if a missing call back is a failure. */
  readonly callsBack: boolean
  /** The kinds of payment that the platform does not use. */
  readonly unused: readonly PaymentKind[]
  readonly consequences: Consequences
  /** Undefined if the receiver cannot see source addresses. */
  readonly source: SourceAddresses | undefined
  /** True if webhooks are signed with a secret of the receiver. */
  readonly signed: boolean
  /** The time limits of an answer, for a failure and for a warning, in real milliseconds. */
  readonly budgetMs: number
  readonly warnMs: number
}

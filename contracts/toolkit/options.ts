import type { EffectProbe } from './ports.ts'
import type { Credentials, SourceAddresses } from '../../sandbox/internal.ts'
import type { Generation } from '../../spec/delivery.ts'
import type { ConfigFile, GenerationUrl } from '../../spec/generated/config-types.ts'
import type { PaymentKind } from '../../spec/payments.ts'
import type { ReadingValues } from '../../spec/readings.ts'
import type { Vocabulary } from '../../spec/vocabulary.ts'

/** The configuration of a run, with default values for all missing keys. */
export interface RunOptions {
  readonly receiver: ReceiverOptions
  readonly service: OwnService | AttachedService
  readonly effects: EffectOptions | undefined
  /** The shell commands that stop and start the receiver's process. Undefined if a run must not stop the process. */
  readonly process: { readonly stop: string; readonly start: string } | undefined
  /** The platform's search for missed notifications. Undefined if the platform has no such search. */
  readonly reconcile: ReconcileOptions | undefined
  readonly budgetMs: number
  readonly warnMs: number
  readonly settleMs: number
  readonly windowMs: number
  /** The duration of the exploration in real milliseconds. 0 disables the exploration. */
  readonly exploreMs: number
  /** The readings that the configuration sets, by name. See spec/readings.yaml. */
  readonly readings: Readonly<Record<string, string>>
  readonly vocabulary: Vocabulary
  /** The secret that signs webhooks. Undefined if webhooks are not signed. */
  readonly secret: string | undefined
  /** The objects that the platform acts on, by kind of payment. Null means that the platform does not use this kind. */
  readonly consequences: Consequences
  readonly knownFailures: readonly string[]
  /** The seed for all random values except ids. */
  readonly seed: number
  /** The salt from which ids are derived. Ids also depend on the seed. */
  readonly salt: string
}

export interface ReceiverOptions {
  /** The URLs for webhooks and for callbacks: a template with `{object_type}`, or one URL for each object type. */
  readonly urls: { readonly [Each in Generation]?: GenerationUrl }
  /** The PEM of a CA that is trusted in addition to the public CAs and the sandbox's CA. */
  readonly ca: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly callsBack: boolean
  readonly source: SourceAddresses | undefined
}

/** A sandbox that only this run uses. The data of this sandbox is in memory unless `isLarge` is set. */
export interface OwnService {
  readonly kind: 'own'
  readonly port: number
  /** The data folder that contains the CA of the sandbox. */
  readonly data: string
  readonly allowTargets: readonly string[]
  readonly credentials: Credentials
  /** True if the data might not fit into memory. If true, a temporary file stores the data. */
  readonly isLarge?: boolean
}

/** A sandbox that is already running. A run uses an existing world and restores it, or creates its own world. */
export interface AttachedService {
  readonly kind: 'attached'
  readonly url: string
  readonly token: string
  /** The name of the world. Undefined means the world of the token, or else the default world. */
  readonly world: string | undefined
  /** The new world for this run. Undefined if the run uses an existing world. */
  readonly ownWorld: OwnWorld | undefined
  /** The data folder of the sandbox. The data folder need not be available on this machine. */
  readonly data: string
  /** The PEM certificates of the sandbox's CA. Undefined if the CA is not available on this machine. */
  readonly trustedCas: readonly string[] | undefined
  /** True if the sandbox restores the world after the run, so that the run need not restore it. */
  readonly keepsWorld: boolean
  /** True if the sandbox has started the run, for example from the dashboard. The sandbox then allows no other run in the world. */
  readonly isConducted: boolean
  readonly credentials: Credentials
  /** The configured credentials. The run reads missing credentials from the world. */
  readonly given?: Partial<Credentials> | undefined
}

export interface OwnWorld {
  readonly name: string
  /** The lifetime of the world, in real seconds. */
  readonly lifetimeSeconds: number
  /** True if `process.start` must pass the credentials of the world to the receiver. */
  readonly isToBeTold: boolean
}

export type EffectOptions =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'function'; readonly read: EffectProbe }
  /** The port of the server to which the platform posts its effects. 0 selects a free port. */
  | { readonly kind: 'sink'; readonly port: number }

export type ReconcileOptions =
  { readonly kind: 'command'; readonly command: string } | { readonly kind: 'http'; readonly url: string }

export type Consequences = NonNullable<ConfigFile['consequences']>

/** The facts that checks use about the receiver and its service. */
export interface Profile {
  readonly readings: ReadingValues
  /** True if the receiver is expected to call back. A missing call back is then a failure. */
  readonly callsBack: boolean
  readonly unused: readonly PaymentKind[]
  readonly consequences: Consequences
  /** The way in which the receiver sees source addresses. Undefined if the receiver cannot see source addresses. */
  readonly source: SourceAddresses | undefined
  readonly signed: boolean
  /** The time limit for an answer, in real milliseconds. `warnMs` is the recommended limit. */
  readonly budgetMs: number
  readonly warnMs: number
}

import type { ConfigFile, GenerationUrl } from '../../spec/generated/config-types.ts'
import type { Generation } from '../../spec/delivery.ts'
import type { Vocabulary } from '../../spec/vocabulary.ts'
import type { EffectProbe } from './effects.ts'
import type { SourceAddresses } from '../../sandbox/internal.ts'

/** What a run does: a configuration with every default in its place. */
export interface RunOptions {
  readonly receiver: ReceiverOptions
  readonly service: OwnService | AttachedService
  /** Undefined where effects are not observable. */
  readonly effects: EffectOptions | undefined
  /** Shell commands; undefined where a run may not stop its process. */
  readonly process: { readonly stop: string; readonly start: string } | undefined
  /** Undefined where the platform is not made to look for what it has missed. */
  readonly reconcile: ReconcileOptions | undefined
  readonly budgetMs: number
  readonly warnMs: number
  readonly settleMs: number
  readonly windowMs: number
  /** What is chosen of the readings, as a user writes it. */
  readonly readings: Readonly<Record<string, string>>
  readonly vocabulary: Vocabulary
  /** What webhooks are signed with; undefined where they are not. */
  readonly secret: string | undefined
  /** Whose success is acted on, where a platform does it otherwise than by default; null for a kind that it has no use for. */
  readonly consequences: Consequences
  /** Ids of checks that are known to fail. */
  readonly knownFailures: readonly string[]
  readonly seed: number
}

export interface ReceiverOptions {
  /** A template with `{object_type}`, or a URL for each type, for each generation that it has. */
  readonly urls: { readonly [Each in Generation]?: GenerationUrl }
  /** PEM of a CA to trust beside the sandbox's own and the public ones. */
  readonly ca: string | undefined
  /** Sent with every delivery. */
  readonly headers: Readonly<Record<string, string>>
  readonly callsBack: boolean
  readonly source: SourceAddresses | undefined
}

/** A sandbox of the run's own, in memory. */
export interface OwnService {
  readonly kind: 'own'
  readonly port: number
  /** The data folder whose CA it has. */
  readonly data: string
  readonly allowTargets: readonly string[]
  readonly credentials: Credentials
}

/** A sandbox that runs already: its state is put aside before and put back after. */
export interface AttachedService {
  readonly kind: 'attached'
  /** The address of its control API. */
  readonly url: string
  readonly token: string
  /** Its data folder, if that is at hand. */
  readonly data: string
  /** PEMs of its CA, by which it trusts receivers, too; undefined if neither its data folder nor its CA is at hand. */
  readonly trustedCas: readonly string[] | undefined
  /** Whether it puts its world back itself when the run has ended. */
  readonly keepsWorld: boolean
  readonly credentials: Credentials
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
  /** The platform posts what it does to this port; 0 takes any free one. */
  | { readonly kind: 'sink'; readonly port: number }

export type ReconcileOptions =
  { readonly kind: 'command'; readonly command: string } | { readonly kind: 'http'; readonly url: string }

export type Consequences = NonNullable<ConfigFile['consequences']>

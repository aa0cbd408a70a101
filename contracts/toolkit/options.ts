import type { EffectProbe } from './ports.ts'
import type { SourceAddresses } from '../../sandbox/internal.ts'
import type { Generation } from '../../spec/delivery.ts'
import type { ConfigFile, GenerationUrl } from '../../spec/generated/config-types.ts'
import type { PaymentKind } from '../../spec/payments.ts'
import type { ReadingValues } from '../../spec/readings.ts'
import type { Vocabulary } from '../../spec/vocabulary.ts'

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
  /** How long random worlds are explored; 0 for not at all. */
  readonly exploreMs: number
  /** What is chosen of the readings, as a user writes it. */
  readonly readings: Readonly<Record<string, string>>
  readonly vocabulary: Vocabulary
  /** What webhooks are signed with; undefined where they are not. */
  readonly secret: string | undefined
  /** Whose success is acted on, where a platform does it otherwise than by default; null for a kind that it has no use for. */
  readonly consequences: Consequences
  /** Ids of checks that are known to fail. */
  readonly knownFailures: readonly string[]
  /** Fixes everything that a run draws, except ids. */
  readonly seed: number
  /** Ids are drawn from the seed and this. */
  readonly salt: string
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
  /** Whether more happens in it than there is memory for. */
  readonly isLarge?: boolean
}

/** A sandbox that runs already: the state of its world is put aside before and put back after, or the run has a world of its own. */
export interface AttachedService {
  readonly kind: 'attached'
  /** The address of its control API. */
  readonly url: string
  readonly token: string
  /** The one of its worlds that is used; the one that the token opens, or else the default one, if undefined. */
  readonly world: string | undefined
  /** That world, if it is added before and removed after; undefined for one that there is already. */
  readonly ownWorld: OwnWorld | undefined
  /** Its data folder, if that is at hand. */
  readonly data: string
  /** PEMs of its CA, by which it trusts receivers, too; undefined if neither its data folder nor its CA is at hand. */
  readonly trustedCas: readonly string[] | undefined
  /** Whether it puts its world back itself when the run has ended. */
  readonly keepsWorld: boolean
  /** Whether the sandbox itself has begun the run: then it lets no other begin. */
  readonly isConducted: boolean
  readonly credentials: Credentials
  /** What is given of them, where the world that is there already has those that are left out. */
  readonly given?: Partial<Credentials> | undefined
}

/** A world that is there for one run. */
export interface OwnWorld {
  readonly name: string
  /** By then it goes by itself, whatever became of the run; real seconds. */
  readonly lifetimeSeconds: number
  /** Whether a receiver has to be told its credentials: only what the run starts is. */
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
  /** The platform posts what it does to this port; 0 takes any free one. */
  | { readonly kind: 'sink'; readonly port: number }

export type ReconcileOptions =
  { readonly kind: 'command'; readonly command: string } | { readonly kind: 'http'; readonly url: string }

export type Consequences = NonNullable<ConfigFile['consequences']>

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

import type { Generation } from '../../spec/delivery.ts'
import type { NotifiedType } from '../../spec/notifications.ts'
import type { EffectState } from '../toolkit/effects.ts'
import type { Consequences } from '../toolkit/options.ts'

/** What `hookbench.config.ts` says about a receiver; the keys of `hookbench up` may stand beside these. */
export interface CheckConfig {
  readonly receiver: ReceiverConfig
  /** A sandbox of the run's own, in memory, unless one is given that runs already. */
  readonly service?: OwnServiceConfig | AttachedServiceConfig
  /** Where the platform tells what it did about an object; not observed if left out. */
  readonly effects?: EffectsConfig
  /** Shell commands that stop and start the receiver, each ending by itself. */
  readonly process?: { readonly stop: string; readonly start: string }
  /** How long an answer may take at most, and from when on it is too slow to be comfortable. */
  readonly budgetMs?: number
  readonly warnMs?: number
  /** How long an effect may take to show. */
  readonly settleMs?: number
  /** For how many milliseconds nothing must happen, where nothing must. */
  readonly window?: number
  readonly profile?: ProfileConfig
  /** Whose success is acted on, where it is not as by default; null for a kind of payment that the platform has no use for. */
  readonly consequences?: Consequences
  /** Ids of checks that are known to fail; one that passes fails the run. */
  readonly knownFailures?: readonly string[]
  /** Draws the ids and the sequences: the same seed, the same run, if the receiver remembers nothing of it. A fresh one if left out. */
  readonly seed?: number
}

/** A template with `{object_type}`, or a URL for each type. */
export type UrlsConfig = string | { readonly [Type in NotifiedType]?: string }

export interface ReceiverConfig {
  readonly url: UrlsConfig | { readonly [Each in Generation]?: UrlsConfig }
  /** A PEM file, or its text, to trust beside the sandbox's own CA and the public ones. */
  readonly ca?: string
  /** Sent with every delivery. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether it asks the service back; then it fails if it does not. */
  readonly callsBack?: boolean
  /** `loopback`, or the name of the header in which it is told where a delivery comes from. */
  readonly sourceAddresses?: string
}

export interface OwnServiceConfig {
  readonly port?: number
  /** The data folder whose CA it has. */
  readonly data?: string
  /** Hosts and address ranges beside loopback. */
  readonly allowTargets?: readonly string[]
}

export interface AttachedServiceConfig {
  /** The bench's address. */
  readonly attach: string
  /** What `hookbench up` prints; `HOOKBENCH_TOKEN`, or what the data folder has, if left out. */
  readonly token?: string
}

export type EffectsConfig =
  /** A page at a URL with `{object_type}` and `{id}`. */
  | { readonly http: string }
  /** A shell command that is given the object type and the id. */
  | { readonly command: string }
  | { readonly function: (object_type: string, id: string) => Promise<EffectState> | EffectState }
  /** A port of ours that the platform posts to; `true` takes any free one. */
  | { readonly sink: number | true }

export interface ProfileConfig {
  readonly environment?: 'pre-live' | 'production'
  /** Which generations it is registered in, where one URL is given for all. */
  readonly generations?: readonly Generation[]
  readonly signature?: 'off' | 'hmac'
  /** What webhooks are signed with, ASCII, 32 characters or more; goes with `signature: 'hmac'`. */
  readonly secret?: string
  readonly readings?: Readonly<Record<string, string>>
  /** The platform's words for neutral ones. */
  readonly vocabulary?: Readonly<Record<string, string>>
}

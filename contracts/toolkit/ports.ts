import type { ExploredCase } from '../explored-case.ts'
import type { Finding } from '../finding.ts'

/** The reported effects of a platform on one object. */
export interface EffectState {
  readonly effects: number
  /** The state that the platform believes, in the words of the service. Null if none. */
  readonly state: string | null
  /** Minor units, if reported. */
  readonly amount?: number
  readonly currency?: string
  /** The affected user and account, if reported, by the ids of the service. */
  readonly user_id?: string
  readonly account_id?: string
}

/** The delay of effects in real milliseconds. */
export interface SeenDelay {
  /** The latest delay after an accepted message. Null if no effect was seen. */
  readonly latestMs: number | null
  readonly waitedMs: number
}

/** Throws ProbeError. */
export type EffectProbe = (object_type: string, id: string) => Promise<EffectState>

/**
 * A configured probe or command failed. The message has the remedy. At the start, this error prevents the
 * run. Later, it leaves one check open.
 */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}

export interface Canary {
  /** `http://127.0.0.1:PORT/…`, unguessable. */
  readonly url: string
  hits(): readonly { readonly path: string; readonly authorization: string | undefined }[]
}

/** The platform's search for missed notifications. */
export interface ReconcileHook {
  readonly observable: boolean
  /** Runs the search. Returns the error, or undefined. */
  run(): Promise<string | undefined>
}

export interface ProcessHooks {
  readonly observable: boolean
  stop(): Promise<void>
  start(options?: StartOptions): Promise<void>
}

export interface StartOptions {
  /** ISO 8601. Passed as HOOKBENCH_NOW. Defaults to real time. */
  readonly now?: string
}

export type TlsProbe = TlsSeen | TlsFailed

export interface TlsSeen {
  readonly kind: 'seen'
  /** ISO 8601, real time. */
  readonly seenAt: string
  /** The certificates that the receiver sent, leaf first. */
  readonly chain: readonly SeenCertificate[]
  /** The sandbox's reason for distrust. Null if trusted. */
  readonly distrust: string | null
  readonly message: string
}

export interface SeenCertificate {
  readonly subject: string
  readonly issuer: string
  /** ISO 8601. */
  readonly notBefore: string
  readonly notAfter: string
  readonly names: readonly string[]
}

export interface TlsFailed {
  readonly kind: 'failed'
  readonly reason: string
  readonly message: string
}

/** The state of the exploration, shared by its checks. */
export interface ExplorationHook {
  /** Real milliseconds. 0 disables the exploration. */
  readonly forMs: number
  /** The failed cases of the last run. */
  kept(): readonly ExploredCase[]
  /** Replaces the saved cases. */
  keep(cases: readonly ExploredCase[]): void
  /** The finding about the load of the receiver. Undefined until known. */
  bounds: Finding | undefined
}

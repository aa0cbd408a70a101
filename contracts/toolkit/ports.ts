import type { ExploredCase } from '../explored-case.ts'
import type { Finding } from '../finding.ts'

/** The effects on one object, as the platform reports them. */
export interface EffectState {
  readonly effects: number
  /** The object's state on the platform, in the service's words. Null if unknown. */
  readonly state: string | null
  /** The amount in minor units. Undefined if the platform reports no amount. */
  readonly amount?: number
  readonly currency?: string
  /** The ids of the affected user and account in the service. Undefined if the platform reports no ids. */
  readonly user_id?: string
  readonly account_id?: string
}

/** The delay until an effect, in real milliseconds. */
export interface SeenDelay {
  /** The longest observed delay between an accepted message and its effect. Null if no effect was observed. */
  readonly latestMs: number | null
  readonly waitedMs: number
}

/** Reads the effects on an object. Throws ProbeError if the effects cannot be read. */
export type EffectProbe = (object_type: string, id: string) => Promise<EffectState>

/**
 * An error from a configured probe or command, with a fix. If the error occurs at the start, the run does not begin. Later in the
 * run, the error makes only the current check inconclusive.
 */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}

export interface Canary {
  /** A URL such as `http://127.0.0.1:PORT/…` with a path that is impossible to guess. */
  readonly url: string
  hits(): readonly { readonly path: string; readonly authorization: string | undefined }[]
}

/** The platform's search for missed notifications. */
export interface ReconcileHook {
  readonly observable: boolean
  /** Runs the search. Returns the error message, or undefined if the search succeeded. */
  run(): Promise<string | undefined>
}

export interface ProcessHooks {
  readonly observable: boolean
  stop(): Promise<void>
  start(options?: StartOptions): Promise<void>
}

export interface StartOptions {
  /** The ISO 8601 time that the process gets as HOOKBENCH_NOW. Defaults to real time. */
  readonly now?: string
}

export type TlsProbe = TlsObservation | TlsFailed

export interface TlsObservation {
  readonly kind: 'seen'
  /** The real time of the handshake in ISO 8601. */
  readonly seenAt: string
  /** The certificates that the receiver sent, starting with the receiver's own certificate. */
  readonly chain: readonly SeenCertificate[]
  /** The reason why the sandbox does not trust the chain. Null if the chain is trusted. */
  readonly distrust: string | null
  readonly message: string
}

export interface SeenCertificate {
  readonly subject: string
  readonly issuer: string
  /** The start of the validity period in ISO 8601. */
  readonly notBefore: string
  readonly notAfter: string
  readonly names: readonly string[]
}

export interface TlsFailed {
  readonly kind: 'failed'
  readonly reason: string
  readonly message: string
}

/** The state of the exploration of random worlds. All checks that explore share this state. */
export interface ExplorationHook {
  /** The duration of the exploration in real milliseconds. 0 disables the exploration. */
  readonly forMs: number
  /** Returns the failed cases of earlier runs. */
  kept(): readonly ExploredCase[]
  /** Replaces the stored failing cases with these cases. */
  keep(cases: readonly ExploredCase[]): void
  /** The finding about the number of calls from the receiver to the service. Undefined before the exploration. */
  bounds: Finding | undefined
}

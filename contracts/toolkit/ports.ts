import type { ExploredCase } from '../explored-case.ts'
import type { Finding } from '../finding.ts'

/** What a platform says that it did about one object. */
export interface EffectState {
  /** How often it carried out its consequence. */
  readonly effects: number
  /** The service's word for the state that it now believes; null if it believes none. */
  readonly state: string | null
  /** Minor units of what it acted on, if it says so. */
  readonly amount?: number
  readonly currency?: string
  /** Whom it acted for, and on which account, if it says so: by the ids that the service knows them by. */
  readonly user_id?: string
  readonly account_id?: string
}

/** How late effects come, in real milliseconds. */
export interface SeenDelay {
  /** The latest after its message was accepted; null if none was seen. */
  readonly latestMs: number | null
  /** How long one is waited for. */
  readonly waitedMs: number
}

/** Where that is read. Throws ProbeError. */
export type EffectProbe = (object_type: string, id: string) => Promise<EffectState>

/**
 * What the configuration names to see or handle your platform did not work: its effects, a command. The message has the remedy.
 * It keeps a run from beginning; later it leaves open what the check of that moment would have found.
 */
export class ProbeError extends Error {
  override readonly name = 'ProbeError'
}

export interface Canary {
  /** `http://127.0.0.1:PORT/…`, unguessable. */
  readonly url: string
  /** Who called, with which headers. */
  hits(): readonly { readonly path: string; readonly authorization: string | undefined }[]
}

/** How the platform looks for what it has missed. */
export interface ReconcileHook {
  readonly observable: boolean
  /** Lets it do so; what went wrong, undefined if nothing did. */
  run(): Promise<string | undefined>
}

export interface ProcessHooks {
  readonly observable: boolean
  stop(): Promise<void>
  start(options?: StartOptions): Promise<void>
}

export interface StartOptions {
  /** What its clock is to show, ISO 8601; the real time if left out. It gets it as HOOKBENCH_NOW. */
  readonly now?: string
}

/** What a handshake with the receiver showed. */
export type TlsProbe = TlsSeen | TlsFailed

export interface TlsSeen {
  readonly kind: 'seen'
  readonly protocol: string
  /** When, in real time: ISO 8601. */
  readonly seenAt: string
  /** The leaf first, as far as the receiver sent them. */
  readonly chain: readonly SeenCertificate[]
  /** Why it is not trusted: the sandbox's word for it; null if it is. */
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

/** No handshake came about. */
export interface TlsFailed {
  readonly kind: 'failed'
  readonly reason: string
  readonly message: string
}

/** What the exploration of random worlds works with, for all checks that look at it. */
export interface ExplorationHook {
  /** Real milliseconds; 0 for not at all. */
  readonly forMs: number
  /** The worlds that failed in the last run. */
  kept(): readonly ExploredCase[]
  /** Keeps these, in place of the others. */
  keep(cases: readonly ExploredCase[]): void
  /** What it found about the load that the receiver causes; undefined until then. */
  bounds: Finding | undefined
}

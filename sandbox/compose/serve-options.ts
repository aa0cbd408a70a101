import type { DiagnosisFinding } from '../../spec/generated/control-types.ts'
import type { ListenPlace } from '../adapters/listen-place.ts'
import type { Listener } from '../adapters/node-server.ts'
import type { openDisk } from '../adapters/sqlite/disk.ts'
import type { Judge, JudgedSandbox } from '../api/control/judge.ts'
import type { RequestHandler } from '../engine/core/http.ts'
import type { Clock } from '../engine/core/ports.ts'
import type { Credentials, Settings } from '../engine/core/settings.ts'
import type { SourceAddresses } from '../engine/delivery/message.ts'
import type { UnsubscribedTrigger } from '../engine/notifications/unsubscribed-triggers.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import type { JobRecord } from '../engine/state/job.ts'
import type { StorageError } from '../engine/state/storage-error.ts'

export interface NamedWorld {
  readonly name: string
  readonly credentials: Credentials
  readonly clock: Pick<Clock, 'mode' | 'speed' | 'now'>
}

export type BenchPlace = Pick<JudgedSandbox, 'benchUrl' | 'benchToken' | 'world'>

export type ListenerName = 'service' | 'bench'

/** Returns a promise that resolves when PostgreSQL has stored all visible changes. Returns undefined if there is no standby. */
export type Confirmed = () => Promise<void> | undefined

export interface ServeHost {
  listen(door: ListenerName, handle: RequestHandler, confirmed: Confirmed): Promise<Listener>
  readonly openDisk: typeof openDisk
}

export interface ServeOptions {
  /** The folder of the local CA. If the CA does not exist, the sandbox creates it when it is first needed. */
  readonly caFolder: string
  /** The data folder as the user typed it. Suggested commands contain this folder. Defaults to the standard data folder. */
  readonly dataFolder?: string | undefined
  /** The path of the SQLite file that contains all worlds. By default, the store is in memory. */
  readonly storePath?: string | undefined
  /** True if an in-memory store may use a temporary file, for data larger than memory. */
  readonly usesScratch?: boolean
  /** 0 selects any free port. */
  readonly port: number
  readonly benchPort: number
  /** The address where other machines reach both listeners over HTTPS. Defaults to loopback only. */
  readonly listenAt?: ListenPlace | undefined
  /** True if the service API uses HTTPS, with a certificate of the local CA. */
  readonly https?: boolean
  /** Sandbox seconds per real second. 1 is real time. 0 is a manual clock. Defaults to the stored speed, or 1. */
  readonly speed?: number | undefined
  readonly seed?: number | undefined
  /** Hosts and address ranges that are allowed besides loopback. */
  readonly allowTargets: readonly string[]
  /** The source address that receivers see. Defaults to any local address. */
  readonly source?: SourceAddresses | undefined
  /** The token that gives access to the control API. Defaults to a random token. */
  readonly benchToken?: string
  /** The key that signs access tokens. Defaults to a random key. */
  readonly tokenKey?: Uint8Array
  /** The maximum number of concurrent deliveries to one registration. */
  readonly concurrency?: number
  /** The time that work in flight has to finish when the sandbox closes, in real milliseconds. Defaults to two seconds. */
  readonly graceMs?: number
  /** The idle time before a world is closed, in milliseconds. The default world never closes. Defaults to a minute. */
  readonly idleMs?: number
  /** The PEM of a CA that is trusted for receivers besides the local CA and the public CAs. */
  readonly receiverCa?: string | undefined
  readonly settings: Settings
  /** The provider of listeners and disk. Defaults to the listeners and the disk of this process. */
  readonly host?: ServeHost | undefined
  /** Loads the judge of the registered receiver. Without this function, the sandbox cannot run checks. */
  readonly judge?: ((world: Pick<NamedWorld, 'credentials'>) => Promise<Judge>) | undefined
  /** Finds the reasons why the receiver gets no notifications. Without this function, diagnosis is unavailable. */
  readonly diagnose?: ((bench: BenchPlace) => Promise<readonly DiagnosisFinding[]>) | undefined
  readonly onAttempt?: (job: JobRecord, attempt: AttemptHead, world: NamedWorld) => void
  readonly onUnsubscribed?: (unsubscribed: UnsubscribedTrigger, world: NamedWorld) => void
  readonly onError: (where: string, error: unknown) => void
  /** Called with the problem when a store stops accepting changes, and with undefined when it accepts changes again. */
  readonly onStorage?: (problem: StorageError | undefined, world: NamedWorld) => void
}

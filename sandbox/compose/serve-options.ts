import type { DiagnosisFinding } from '../../spec/generated/control-types.ts'
import type { ListenPlace } from '../adapters/listen-place.ts'
import type { Listener } from '../adapters/node-server.ts'
import type { openDisk } from '../adapters/sqlite/disk.ts'
import type { Judge, JudgedSandbox } from '../api/control/judge.ts'
import type { RequestHandler } from '../engine/core/http.ts'
import type { Clock } from '../engine/core/ports.ts'
import type { Credentials, Settings } from '../engine/core/settings.ts'
import type { SourceAddresses } from '../engine/delivery/source-addresses.ts'
import type { UnsubscribedTrigger } from '../engine/notifications/unsubscribed-triggers.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import type { JobRecord } from '../engine/state/job.ts'
import type { StorageError } from '../engine/state/storage-error.ts'

/** The world that something happened in. */
export interface NamedWorld {
  readonly name: string
  readonly credentials: Credentials
  readonly clock: Pick<Clock, 'mode' | 'speed' | 'now'>
}

/** Where the bench listens. */
export type BenchPlace = Pick<JudgedSandbox, 'benchUrl' | 'benchToken' | 'world'>

/** The listener that a call came through. */
export type Door = 'service' | 'bench'

/** See StoreDatabase. */
export type Confirmed = () => Promise<void> | undefined

/** The listeners and the disk of a process with a standby. */
export interface ServeHost {
  listen(door: Door, handle: RequestHandler, confirmed: Confirmed): Promise<Listener>
  readonly openDisk: typeof openDisk
}

export interface ServeOptions {
  /** Holds the local CA, which is made on first use. */
  readonly caFolder: string
  /** The data folder as its user calls it, for commands in messages; the default one if left out. */
  readonly dataFolder?: string | undefined
  /** The SQLite file of all worlds; in memory if left out. */
  readonly storePath?: string | undefined
  /** Without a file for it, has most of it in one that goes with the process, for more than there is memory for. */
  readonly usesScratch?: boolean
  /** Port of the service API; 0 takes any free one. */
  readonly port: number
  readonly benchPort: number
  /** Where others can reach both, too, over HTTPS; on loopback only if left out. */
  readonly listenAt?: ListenPlace | undefined
  /** Serves the service API over HTTPS, with a certificate of the local CA. */
  readonly https?: boolean
  /** Sandbox seconds per real second; 1 follows real time, 0 moves only by hand. As the store has it, or 1, if left out. */
  readonly speed?: number | undefined
  readonly seed?: number | undefined
  /** Hosts and address ranges that may be called beside loopback. */
  readonly allowTargets: readonly string[]
  /** Where deliveries seem to come from; anywhere if left out. */
  readonly source?: SourceAddresses | undefined
  /** Opens the control API; random if left out. */
  readonly benchToken?: string
  /** What access tokens are signed with; random if left out. */
  readonly tokenKey?: Uint8Array
  /** How many deliveries to one registration may be sent at once. */
  readonly concurrency?: number
  /** How long what is under way may go on when the sandbox is closed, in real time; two seconds if left out. */
  readonly graceMs?: number
  /** For how long nothing has to happen in a world beside the default one until it is closed; a minute if left out. */
  readonly idleMs?: number
  /** PEM of a CA to trust for receivers, beside the local CA and the public ones. */
  readonly receiverCa?: string | undefined
  readonly settings: Settings
  /** Defaults to listeners and a disk of its own. */
  readonly host?: ServeHost | undefined
  /** Loads what judges the receiver that is registered; nothing does if left out. */
  readonly judge?: ((world: Pick<NamedWorld, 'credentials'>) => Promise<Judge>) | undefined
  /** Finds out why nothing is received, by the bench at this address; nothing does if left out. */
  readonly diagnose?: ((bench: BenchPlace) => Promise<readonly DiagnosisFinding[]>) | undefined
  readonly onAttempt?: (job: JobRecord, attempt: AttemptHead, world: NamedWorld) => void
  readonly onUnsubscribed?: (unsubscribed: UnsubscribedTrigger, world: NamedWorld) => void
  readonly onError: (where: string, error: unknown) => void
  /** Called when the store of a world takes no changes any more, with why, and with nothing when it does again. */
  readonly onStorage?: (problem: StorageError | undefined, world: NamedWorld) => void
}

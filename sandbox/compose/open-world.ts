import { createRecoveryFile } from '../adapters/recovery-file.ts'
import { createClockAndRandom, type Pace } from '../adapters/clock-and-random.ts'
import type { CertificateAuthority } from '../adapters/certificate-authority.ts'
import type { Judge } from '../api/control/judge.ts'
import type { Worlds } from '../api/control/operation.ts'
import { ApiError } from '../engine/core/api-error.ts'
import type { Transport } from '../engine/core/ports.ts'
import type { Credentials } from '../engine/core/settings.ts'
import type { Egress } from '../engine/delivery/egress.ts'
import type { Store } from '../engine/state/store.ts'
import { DEFAULT_WORLD } from '../engine/state/world-record.ts'
import { assemble, type Assembled } from './assemble.ts'
import { createOwnSnapshots, LEFT_WORLD, recoverWorld, withWorldRecovery } from './world-recovery.ts'
import type { ServeOptions } from './serve-options.ts'

/** The shared parts of all worlds in a process. */
export interface SharedParts {
  readonly options: ServeOptions
  readonly egress: Egress
  readonly transport: Transport
  /** The limit of parallel POSTs. */
  readonly mostPosts: number
  /** The key that signs access tokens. */
  readonly tokenKey: Uint8Array
  /** Opens the control API of every world. */
  readonly rootToken: string
  /** The start of the sandbox in real time. */
  readonly startedAt: number
  readonly serviceUrl: () => string
  readonly benchUrl: () => string
  readonly ca: Pick<CertificateAuthority, 'certificatePem' | 'issue'>
}

export interface OwnParts {
  readonly name: string
  /** The id in its access tokens. Absent for the default world. */
  readonly id?: string | undefined
  readonly credentials: Credentials
  /** Opens the control API of this world. */
  readonly controlToken: string
  readonly pace: Pace
  /** Closed with the world. */
  readonly store: Store
  /** The file of the snapshot during a run of checks. Undefined if the world ends with the process. */
  readonly recoveryPath: string | undefined
  /** The worlds that its token opens. */
  readonly worlds: Worlds
}

/** A world in memory with its scheduler. */
export interface OpenWorld {
  readonly assembled: Assembled
  readonly controlToken: string
  /** Starts to send. First restores the snapshot of an interrupted run. */
  start(): Promise<void>
}

/** Opens a world without starting it. Throws StorageError and closes the store then. */
export function openWorld(own: OwnParts, shared: SharedParts): OpenWorld {
  const { options, transport, egress, tokenKey, rootToken, serviceUrl } = shared
  const { name, id, credentials, controlToken, worlds } = own
  const { diagnose, judge } = options
  const worldName = name === DEFAULT_WORLD ? undefined : name
  const place = () => ({ benchUrl: shared.benchUrl(), benchToken: controlToken, world: worldName })
  const { store } = own
  const ports = { ...openClock(own), transport }
  const world = { name, credentials, clock: ports.clock }
  const { onAttempt, onUnsubscribed, onStorage } = options
  const recovery = () => createRecovery(own, assembled, options.onError)
  const assembled: Assembled = assemble({
    ports,
    store,
    settings: { ...options.settings, credentials },
    egress,
    tokenKey,
    benchToken: controlToken,
    rootToken,
    worldId: id,
    worlds,
    serviceUrl,
    everyCallNeedsToken: options.listenAt !== undefined,
    dataFolder: options.dataFolder,
    concurrency: options.concurrency,
    source: options.source,
    onAttempt: (job, attempt) => onAttempt?.(job, attempt, world),
    onUnsubscribed: (unsubscribed) => onUnsubscribed?.(unsubscribed, world),
    judge: judge && {
      load: () => loadJudge(own, judge, recovery()),
      sandbox: () => ({ ...place(), keepsWorld: own.recoveryPath !== undefined }),
    },
    diagnose: diagnose && (() => diagnose(place())),
    issueCertificate: (hosts) => issueCertificate(shared.ca, hosts),
    onError: options.onError,
    onStorage: (problem) => onStorage?.(problem, world),
  })
  return {
    assembled,
    controlToken,
    async start() {
      const left = recovery()
      if (left) await recoverWorld(left).catch((error: unknown) => options.onError(LEFT_WORLD, error))
      assembled.start()
    },
  }
}

async function issueCertificate(ca: SharedParts['ca'], hosts: readonly string[]) {
  try {
    const { certificatePem: certificate, privateKeyPem: private_key } = await ca.issue(hosts)
    return { certificate, private_key, ca: ca.certificatePem }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ApiError('invalid', { field: 'hosts', message: error.message }, { cause: error })
  }
}

/** Closes the store after a failure. */
function openClock({ store, pace }: OwnParts) {
  try {
    return createClockAndRandom(pace, store)
  } catch (error) {
    store.close()
    throw error
  }
}

/** Loads the judge for a run, whose world is restored at the end unless it is lost with the process. */
async function loadJudge(
  own: OwnParts,
  load: NonNullable<ServeOptions['judge']>,
  recovery: ReturnType<typeof createRecovery>,
): Promise<Judge> {
  const judge = await load(own)
  return recovery ? withWorldRecovery(judge, recovery) : judge
}

/** Returns the recovery of a run. Undefined if the world is lost with the process. */
function createRecovery(
  { recoveryPath, controlToken, store }: OwnParts,
  { bench }: Pick<Assembled, 'bench'>,
  onError: ServeOptions['onError'],
) {
  if (recoveryPath === undefined) return undefined
  const file = createRecoveryFile(recoveryPath)
  return { file, snapshots: createOwnSnapshots(bench, controlToken), store, onError }
}

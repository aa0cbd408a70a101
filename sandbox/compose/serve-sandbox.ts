import { openCertificateAuthority, type CertificateAuthority } from '../adapters/certificate-authority.ts'
import { readDashboardFile } from '../adapters/dashboard-files.ts'
import { certificateHosts, type ListenPlace } from '../adapters/listen-place.ts'
import { listen, type Listener } from '../adapters/node-server.ts'
import { createRecoveryFile } from '../adapters/recovery-file.ts'
import { secretBytes, secretText } from '../adapters/secrets.ts'
import { realTime } from '../adapters/real-time.ts'
import { createClockAndRandom } from '../adapters/clock-and-random.ts'
import { limitPosts, mostPosts } from '../adapters/transport/descriptor-limit.ts'
import { createLazyTransport } from '../adapters/transport/lazy-transport.ts'
import type { UndiciTransport } from '../adapters/transport/undici-transport.ts'
import type { DiagnosisFinding } from '../../spec/generated/control-types.ts'
import type { JudgedSandbox } from '../api/control/judge.ts'
import { withDashboard } from '../api/http/dashboard-pages.ts'
import { assemble, type Assembled } from './assemble.ts'
import { createEgress, type Egress } from '../engine/delivery/egress.ts'
import type { UnsubscribedTrigger } from '../engine/notifications/unsubscribed-triggers.ts'
import type { SourceAddresses } from '../engine/delivery/source-addresses.ts'
import type { Settings } from '../engine/core/settings.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import { openSqliteLog } from '../adapters/sqlite/sqlite-log.ts'
import { createMemoryLog, type StorageError } from '../engine/state/log.ts'
import { createStore, type Store } from '../engine/state/store.ts'
import type { JobRecord } from '../engine/state/job.ts'
import { createOwnSnapshots } from './own-snapshots.ts'
import type { JudgeAccess } from './runs.ts'
import { LEFT_WORLD, recoverWorld, withWorldRecovery } from './world-recovery.ts'

/** Where the bench listens. */
export type BenchPlace = Pick<JudgedSandbox, 'benchUrl' | 'benchToken'>

export interface ServeOptions {
  /** Holds the local CA, which is made on first use. */
  readonly caFolder: string
  /** The data folder as its user calls it, for commands in messages; the default one if left out. */
  readonly dataFolder?: string | undefined
  /** The SQLite file of the store; in memory if left out. */
  readonly storePath?: string | undefined
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
  /** How many deliveries to one registration may be under way at once. */
  readonly concurrency?: number
  /** How long what is under way may go on when the sandbox is closed, in real time; two seconds if left out. */
  readonly graceMs?: number
  /** PEM of a CA to trust for receivers, beside the local CA and the public ones. */
  readonly receiverCa?: string | undefined
  readonly settings: Settings
  /** Loads what judges the receiver that is registered; nothing does if left out. */
  readonly judge?: JudgeAccess['load'] | undefined
  /** Finds out why nothing is received, by the bench at this address; nothing does if left out. */
  readonly diagnose?: ((bench: BenchPlace) => Promise<readonly DiagnosisFinding[]>) | undefined
  readonly onAttempt?: (job: JobRecord, attempt: AttemptHead) => void
  readonly onUnsubscribed?: (unsubscribed: UnsubscribedTrigger) => void
  readonly onError: (where: string, error: unknown) => void
  /** Called when the store takes no changes any more, with why, and with nothing when it does again. */
  readonly onStorage?: (problem: StorageError | undefined) => void
}

/** A sandbox on two ports, with real deliveries. */
export interface ServedSandbox extends Pick<
  Assembled,
  'advance' | 'commit' | 'context' | 'idle' | 'perform' | 'store'
> {
  /** For callers on this machine. */
  readonly serviceUrl: string
  readonly benchUrl: string
  /** For others; the same where there are none. */
  readonly publicUrls: { readonly service: string; readonly bench: string }
  readonly ca: CertificateAuthority
  /** Ends cleanly within seconds: what is under way ends and is recorded, or is cut off and stays due. */
  close(): Promise<void>
}

const GRACE_MS = 2_000
const MOST_CONNECTIONS = 1_000

/** Throws ListenError or StorageError, each with the remedy, and leaves nothing half open. */
export async function serveSandbox(options: ServeOptions): Promise<ServedSandbox> {
  const cleanups: (() => unknown)[] = []
  try {
    return await open(options, cleanups)
  } catch (error) {
    await undo(cleanups)
    throw error
  }
}

async function undo(cleanups: readonly (() => unknown)[]): Promise<void> {
  for (const cleanup of cleanups.toReversed()) await cleanup()
}

async function open(options: ServeOptions, cleanups: (() => unknown)[]): Promise<ServedSandbox> {
  const { graceMs = GRACE_MS, diagnose, listenAt } = options
  const ca = await openCertificateAuthority(options.caFolder)
  const listeners: Listener[] = []
  const egress = createEgress({
    allowTargets: options.allowTargets,
    ownPorts: () => listeners.map(({ port }) => port),
  })
  const transport = createTransport(options, ca, egress)
  cleanups.push(() => transport.close())
  const store = openStore(options)
  const benchToken = options.benchToken ?? secretText()
  const assembled: Assembled = assemble({
    ports: { ...createClockAndRandom(options, store), transport },
    store,
    settings: options.settings,
    egress,
    tokenKey: options.tokenKey ?? secretBytes(),
    benchToken,
    serviceUrl: () => listeners[0]?.publicUrl ?? '',
    everyCallNeedsToken: listenAt !== undefined,
    dataFolder: options.dataFolder,
    concurrency: options.concurrency,
    source: options.source,
    onAttempt: options.onAttempt ?? (() => {}),
    onUnsubscribed: options.onUnsubscribed,
    judge: judgeAccess(options, () => place()),
    diagnose: diagnose && (() => diagnose(place())),
    onError: options.onError,
    onStorage: options.onStorage,
  })
  const place = () => ({ benchUrl: listeners[1]?.url ?? '', benchToken, assembled })
  cleanups.push(async () => {
    const cancelCut = realTime.after(graceMs, () => void transport.close())
    await assembled.close()
    cancelCut()
  })
  const listening = await toListenOptions(options, ca)
  const service = await listen(assembled.service, listening.service)
  listeners.push(service)
  cleanups.push(() => service.close(graceMs))
  const page = withDashboard(assembled.bench, readDashboardFile)
  const bench = await listen(page, listening.bench)
  listeners.push(bench)
  cleanups.push(() => assembled.hangUp().then(() => bench.close(graceMs)))
  await startRecovered(options, place())
  return { ...assembled, ...toUrls(service, bench), ca, close: () => undo(cleanups) }
}

function toUrls(
  service: Listener,
  bench: Listener,
): Pick<ServedSandbox, 'serviceUrl' | 'benchUrl' | 'publicUrls'> {
  const publicUrls = { service: service.publicUrl, bench: bench.publicUrl }
  return { serviceUrl: service.url, benchUrl: bench.url, publicUrls }
}

async function toListenOptions(
  { port, benchPort, https = false, listenAt: place }: ServeOptions,
  ca: CertificateAuthority,
) {
  const tls = https || place ? await ca.issue(certificateHosts(place)) : undefined
  return {
    service: { port, flag: '--port', tls, place },
    bench: { port: benchPort, flag: '--bench-port', exactPaths: true, ...(place && { tls, place }) },
  }
}

function openStore({ storePath }: Pick<ServeOptions, 'storePath'>): Store {
  return createStore(storePath === undefined ? createMemoryLog() : openSqliteLog(storePath), realTime.soon)
}

interface JudgePlace extends BenchPlace {
  readonly assembled: Pick<Assembled, 'bench' | 'store'>
}

type RecoveryOptions = Pick<ServeOptions, 'storePath' | 'onError'>

function judgeAccess(
  { judge, ...options }: Pick<ServeOptions, 'judge'> & RecoveryOptions,
  place: () => JudgePlace,
): JudgeAccess | undefined {
  return (
    judge && {
      async load() {
        const [loaded, ports] = [await judge(), recoveryPorts(options, place())]
        return ports ? withWorldRecovery(loaded, ports) : loaded
      },
      sandbox: () => ({ ...place(), keepsWorld: options.storePath !== undefined }),
    }
  )
}

/** How the world outlives a run that uses the sandbox; undefined if it is lost with the process in any case. */
function recoveryPorts(
  { storePath, onError }: RecoveryOptions,
  { benchToken, assembled: { bench, store } }: JudgePlace,
) {
  if (storePath === undefined) return undefined
  const file = createRecoveryFile(`${storePath}.recovery`)
  return { file, snapshots: createOwnSnapshots(bench, benchToken), store, onError }
}

/** With the world that a run was to put back, if a crash kept it from that. */
async function startRecovered(
  options: RecoveryOptions,
  place: JudgePlace & { readonly assembled: Assembled },
): Promise<void> {
  const ports = recoveryPorts(options, place)
  if (ports) await recoverWorld(ports).catch((error: unknown) => options.onError(LEFT_WORLD, error))
  place.assembled.start()
}

function createTransport(
  { receiverCa, dataFolder }: ServeOptions,
  ca: CertificateAuthority,
  egress: Egress,
): UndiciTransport {
  const trustedCas = [ca.certificatePem, receiverCa].filter((pem) => pem !== undefined)
  const lazy = createLazyTransport(async () => {
    const { createUndiciTransport } = await import('../adapters/transport/undici-transport.ts')
    return createUndiciTransport({
      trustedCas: () => trustedCas,
      egress,
      // The queue of each registration bounds what is under way; one receiver may have all of them.
      connectionsPerOrigin: MOST_CONNECTIONS,
      dataFolder,
    })
  })
  return limitPosts(lazy, mostPosts())
}

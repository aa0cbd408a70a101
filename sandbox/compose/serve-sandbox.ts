import { openCertificateAuthority, type CertificateAuthority } from '../adapters/certificate-authority.ts'
import { readDashboardFile } from '../adapters/dashboard-files.ts'
import { listen, type Listener } from '../adapters/node-server.ts'
import type { RequestHandler } from '../engine/core/http.ts'
import { secretBytes, secretText } from '../adapters/secrets.ts'
import { MEMORY, SCRATCH } from '../adapters/sqlite/database.ts'
import { openStoreDatabase, type StoreDatabase } from '../adapters/sqlite/store-database.ts'
import { realTime } from '../adapters/real-time.ts'
import { maxConcurrentDeliveries } from '../adapters/transport/descriptor-limit.ts'
import { withDashboard } from '../api/http/dashboard-pages.ts'
import { createEgress, type Egress } from '../engine/delivery/egress.ts'
import type { Assembled } from './assemble.ts'
import type { SharedParts } from './open-world.ts'
import type { ListenerName, ServeOptions } from './serve-options.ts'
import { certificateHosts } from '../adapters/listen-place.ts'
import { createLazyTransport } from '../adapters/transport/lazy-transport.ts'
import type { UndiciTransport } from '../adapters/transport/undici-transport.ts'
import { fileCreatedAt } from '../adapters/files.ts'
import { StorageError } from '../engine/state/storage-error.ts'
import {
  DEFAULT_WORLD,
  WorldTakenError,
  type WorldKey,
  type WorldRecord,
} from '../engine/state/world-record.ts'
import { createWorldAdministration, onlyWorld, refuseSameKeys } from './world-administration.ts'
import { createWorldRegistry } from './world-registry.ts'
import { createWorldRouter } from './world-router.ts'
import { createWorldTransports, createFairScheduler } from './world-sharing.ts'
import { createTranslator } from '../../spec/vocabulary.ts'

export interface ServedSandbox extends Pick<
  Assembled,
  'advance' | 'commit' | 'context' | 'idle' | 'perform' | 'store'
> {
  readonly serviceUrl: string
  readonly benchUrl: string
  /** The URLs for other machines. Equal to the local URLs if other machines have no access. */
  readonly publicUrls: { readonly service: string; readonly bench: string }
  readonly ca: CertificateAuthority
  /** Closes the sandbox within seconds. Work in flight either ends and is recorded, or is interrupted and stays due. */
  close(): Promise<void>
}

const GRACE_MS = 2_000

/** Starts a sandbox. If the start fails, closes all opened parts and throws ListenError or StorageError. */
export async function serveSandbox(options: ServeOptions): Promise<ServedSandbox> {
  const cleanups: (() => unknown)[] = []
  try {
    return await open(options, cleanups)
  } catch (error) {
    await undo(cleanups)
    throw error
  }
}

export async function undo(cleanups: readonly (() => unknown)[]): Promise<void> {
  for (const cleanup of cleanups.toReversed()) await cleanup()
}

async function open(options: ServeOptions, cleanups: (() => unknown)[]): Promise<ServedSandbox> {
  const { graceMs = GRACE_MS } = options
  const ca = await openCertificateAuthority(options.caFolder)
  const listeners: Listener[] = []
  const egress = createEgress({
    allowTargets: options.allowTargets,
    ownPorts: () => listeners.map(({ port }) => port),
  })
  const transport = createTransport(options, ca, egress)
  cleanups.push(() => transport.close())
  const database = openDatabase(options)
  // Waits until PostgreSQL has confirmed all changes before the database is closed.
  cleanups.push(() => (database.confirmed() ?? Promise.resolve()).catch(() => {}).then(database.close))
  const worlds = openWorlds(options, database, {
    egress,
    transport,
    ca,
    serviceUrl: () => listeners[0]?.publicUrl ?? '',
    benchUrl: () => listeners[1]?.url ?? '',
  })
  cleanups.push(async () => {
    const cancelCut = realTime.after(graceMs, () => void transport.close())
    await worlds.registry.closeAll()
    cancelCut()
  })
  const host = options.host ?? (await createHost(options, ca))
  const service = await host.listen('service', worlds.router.service, database.confirmed)
  listeners.push(service)
  cleanups.push(() => service.close(graceMs))
  const dashboard = withDashboard(worlds.router.bench, readDashboardFile)
  const bench = await host.listen('bench', dashboard, database.confirmed)
  listeners.push(bench)
  cleanups.push(() => worlds.registry.hangUp().then(() => bench.close(graceMs)))
  await worlds.first.start()
  worlds.registry.start()
  return { ...worlds.first.assembled, ...toUrls(service, bench), ca, close: () => undo(cleanups) }
}

type ProcessParts = Pick<SharedParts, 'egress' | 'ca' | 'serviceUrl' | 'benchUrl'> & {
  readonly transport: UndiciTransport
}

function openWorlds(options: ServeOptions, database: StoreDatabase, parts: ProcessParts) {
  const { graceMs = GRACE_MS, onError } = options
  const { directory } = database
  const { transport, ...process } = parts
  const record = createFirstRecord(options)
  refuseKeysOfOthers(record, directory.list())
  const rootToken = record.controlToken
  const turns = createFairScheduler(realTime)
  const shared: SharedParts = {
    ...process,
    options,
    transportOf: createWorldTransports({
      transport,
      turns,
      maxConcurrentDeliveries: maxConcurrentDeliveries(),
      isAlone: () => directory.isEmpty,
    }),
    worldsOf: (world) => (world === record ? administration : onlyWorld(world)),
    tokenKey: options.tokenKey ?? secretBytes(),
    rootToken,
    startedAt: realTime.now(),
  }
  const registry = createWorldRegistry({ directory, shared, realTime, graceMs })
  const administration = createWorldAdministration({
    directory,
    registry,
    first: record,
    realTime,
    isReachable: options.listenAt !== undefined,
    rootToken,
  })
  const first = registry.openDefault(record, database.openDefault())
  const router = createWorldRouter({
    directory,
    registry,
    fallback: first.assembled,
    turns,
    rootToken,
    translator: createTranslator(options.settings.vocabulary),
    onError,
  })
  return { first, registry, router }
}

function openDatabase({ storePath, usesScratch = false, host }: ServeOptions): StoreDatabase {
  const path = storePath ?? (usesScratch ? SCRATCH : MEMORY)
  return openStoreDatabase(path, { soon: realTime.soon, ...(host && { openDisk: host.openDisk }) })
}

export function toUrls(
  service: Listener,
  bench: Listener,
): Pick<ServedSandbox, 'serviceUrl' | 'benchUrl' | 'publicUrls'> {
  const publicUrls = { service: service.publicUrl, bench: bench.publicUrl }
  return { serviceUrl: service.url, benchUrl: bench.url, publicUrls }
}

const MAX_CONNECTIONS = 1_000

export async function createHost(
  { port, benchPort, https = false, listenAt: place }: ServeOptions,
  ca: CertificateAuthority,
) {
  const tls = https || place ? await ca.issue(certificateHosts(place)) : undefined
  const options = {
    service: { port, flag: '--port', tls, place },
    bench: { port: benchPort, flag: '--bench-port', exactPaths: true, ...(place && { tls, place }) },
  }
  return { listen: (door: ListenerName, handle: RequestHandler) => listen(handle, options[door]) }
}

/** Returns the transport. The transport loads at the first delivery, and trusts the sandbox's CA and the receiver's CA. */
function createTransport(
  { dataFolder, receiverCa }: Pick<ServeOptions, 'dataFolder' | 'receiverCa'>,
  ca: Pick<CertificateAuthority, 'certificatePem'>,
  egress: Egress,
): UndiciTransport {
  const cas = [ca.certificatePem, receiverCa].filter((pem) => pem !== undefined)
  return createLazyTransport(async () => {
    const { createUndiciTransport } = await import('../adapters/transport/undici-transport.ts')
    return createUndiciTransport({
      trustedCas: () => cas,
      egress,
      // A single receiver may use all connections, because the queue of each registration already limits its concurrent POSTs.
      connectionsPerOrigin: MAX_CONNECTIONS,
      dataFolder,
    })
  })
}

function createFirstRecord({ settings, benchToken, storePath, seed }: ServeOptions): WorldRecord {
  return {
    id: DEFAULT_WORLD,
    name: DEFAULT_WORLD,
    credentials: settings.credentials,
    controlToken: benchToken ?? secretText(),
    createdAt: (storePath === undefined ? undefined : fileCreatedAt(storePath)) ?? realTime.now(),
    expiresAt: null,
    seed,
  }
}

export function refuseKeysOfOthers(first: WorldRecord, others: Iterable<WorldRecord>): void {
  for (const other of others) {
    try {
      refuseSameKeys(first, other)
    } catch (error) {
      throw error instanceof WorldTakenError ? toUnusable(error.key, first, other) : error
    }
  }
}

function toUnusable(key: WorldKey, { credentials }: WorldRecord, { name }: WorldRecord): StorageError {
  const [what, option] = describeKey(key, credentials)
  return new StorageError(
    'unusable',
    `Cannot start with ${what}: world "${name}" already uses it. Give the default world another value with ${option}, or unset the variables that "worlds show" prints`,
  )
}

function describeKey(
  key: WorldKey,
  { client_id, email }: WorldRecord['credentials'],
): readonly [what: string, option: string] {
  if (key === 'controlToken') return ['this token of the bench', '--token or HOOKBENCH_TOKEN']
  if (key === 'clientId') return [`the client id "${client_id}"`, '--client-id or HOOKBENCH_CLIENT_ID']
  return [`this API token for "${email}"`, '--api-token or HOOKBENCH_API_TOKEN']
}

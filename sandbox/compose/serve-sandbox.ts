import { openCertificateAuthority, type CertificateAuthority } from '../adapters/certificate-authority.ts'
import { readDashboardFile } from '../adapters/dashboard-files.ts'
import { listen, type Listener } from '../adapters/node-server.ts'
import { secretBytes } from '../adapters/secrets.ts'
import { MEMORY, SCRATCH } from '../adapters/sqlite/database.ts'
import { openStoreDatabase } from '../adapters/sqlite/store-database.ts'
import { realTime } from '../adapters/real-time.ts'
import { mostPosts } from '../adapters/transport/descriptor-limit.ts'
import { withDashboard } from '../api/http/dashboard-pages.ts'
import { createEgress } from '../engine/delivery/egress.ts'
import type { Assembled } from './assemble.ts'
import { createFirstRecord, refuseKeysOfOthers } from './first-record.ts'
import { openServedWorlds } from './served-worlds.ts'
import type { SharedParts } from './open-world.ts'
import type { ServeOptions } from './serve-options.ts'
import { createTransport, toListenOptions } from './serving.ts'

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
  const { graceMs = GRACE_MS, listenAt } = options
  const ca = await openCertificateAuthority(options.caFolder)
  const listeners: Listener[] = []
  const egress = createEgress({
    allowTargets: options.allowTargets,
    ownPorts: () => listeners.map(({ port }) => port),
  })
  const transport = createTransport(options, ca, egress)
  cleanups.push(() => transport.close())
  const first = createFirstRecord(options)
  const shared: SharedParts = {
    options,
    egress,
    transport,
    mostPosts: mostPosts(),
    startedAt: realTime.now(),
    tokenKey: options.tokenKey ?? secretBytes(),
    rootToken: first.controlToken,
    serviceUrl: () => listeners[0]?.publicUrl ?? '',
    benchUrl: () => listeners[1]?.url ?? '',
  }
  const database = openStoreDatabase(storePathOf(options), { soon: realTime.soon })
  cleanups.push(() => database.close())
  refuseKeysOfOthers(first, database.directory.list())
  const worlds = openServedWorlds({
    first: { record: first, store: database.openDefault() },
    directory: database.directory,
    shared,
    graceMs,
    isReachable: listenAt !== undefined,
  })
  cleanups.push(async () => {
    const cancelCut = realTime.after(graceMs, () => void transport.close())
    await worlds.close()
    cancelCut()
  })
  const listening = await toListenOptions(options, ca)
  const service = await listen(worlds.doors.service, listening.service)
  listeners.push(service)
  cleanups.push(() => service.close(graceMs))
  const bench = await listen(withDashboard(worlds.doors.bench, readDashboardFile), listening.bench)
  listeners.push(bench)
  cleanups.push(() => worlds.hangUp().then(() => bench.close(graceMs)))
  await worlds.start()
  return { ...worlds.first.assembled, ...toUrls(service, bench), ca, close: () => undo(cleanups) }
}

function storePathOf({ storePath, usesScratch = false }: ServeOptions): string {
  return storePath ?? (usesScratch ? SCRATCH : MEMORY)
}

function toUrls(
  service: Listener,
  bench: Listener,
): Pick<ServedSandbox, 'serviceUrl' | 'benchUrl' | 'publicUrls'> {
  const publicUrls = { service: service.publicUrl, bench: bench.publicUrl }
  return { serviceUrl: service.url, benchUrl: bench.url, publicUrls }
}

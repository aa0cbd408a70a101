import { openCertificateAuthority, type CertificateAuthority } from '../../adapters/certificate-authority.ts'
import { readDashboardFile } from '../../adapters/dashboard-files.ts'
import { listen, type Listener } from '../../adapters/node-server.ts'
import { createNodeList } from '../../adapters/postgres/node-list.ts'
import { openPostgresNode, type PostgresNode } from '../../adapters/postgres/postgres-node.ts'
import { openPostgresWorlds, type PostgresWorlds } from '../../adapters/postgres/postgres-worlds.ts'
import { agreeOnValues, type SharedValues } from '../../adapters/postgres/shared-values.ts'
import { realTime } from '../../adapters/real-time.ts'
import { secretText } from '../../adapters/secrets.ts'
import { mostPosts } from '../../adapters/transport/descriptor-limit.ts'
import { withDashboard } from '../../api/http/dashboard-pages.ts'
import { createEgress } from '../../engine/delivery/egress.ts'
import { passes } from '../../engine/state/log.ts'
import { DEFAULT_WORLD, WorldGoneError, type WorldRecord } from '../../engine/state/world-directory.ts'
import type { OpenWorld, SharedParts } from '../open-world.ts'
import type { ServeOptions } from '../serve-options.ts'
import { createTransport, toListenOptions } from '../serving.ts'
import { refuseOtherBeginning, refuseOtherToken } from './first-node.ts'
import { startNodeWatch } from './node-watch.ts'
import { openNodeWorlds, type NodeWorlds } from './served-node-worlds.ts'

export interface ServeNodeOptions extends Omit<ServeOptions, 'storePath' | 'worldsFolder' | 'tokenKey'> {
  /** The URL of the database. */
  readonly store: string
  /** What the other nodes know this one by. */
  readonly node: string
  /** The same for each run on its data folder. */
  readonly identity: string
  readonly leaseMs: number
  /** Called with each world that was left behind, or due, and that this node takes up by itself or for a call. */
  readonly onTaken: (world: WorldRecord) => void
}

/** One of the sandboxes of a database, on two ports. */
export interface ServedNode {
  /** For callers on this machine. */
  readonly serviceUrl: string
  readonly benchUrl: string
  /** For others; the same where there are none. */
  readonly publicUrls: { readonly service: string; readonly bench: string }
  readonly ca: CertificateAuthority
  readonly rootToken: string
  /** Opens the world of that name here if nobody has it, and keeps it open until `run` has resolved. Throws as calls to it do. */
  use<Result>(name: string, run: (open: OpenWorld) => Promise<Result>): Promise<Result>
  /** Gives all worlds back, for the other nodes to go on with. */
  close(): Promise<void>
}

const GRACE_MS = 2_000

/** Throws ListenError or StorageError, each with the remedy, and leaves nothing half open. */
export async function serveNode(options: ServeNodeOptions): Promise<ServedNode> {
  const cleanups: (() => unknown)[] = []
  const undo = async () => {
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
  try {
    return { ...(await open(options, cleanups)), close: undo }
  } catch (error) {
    await undo()
    throw error
  }
}

async function open(
  options: ServeNodeOptions,
  cleanups: (() => unknown)[],
): Promise<Omit<ServedNode, 'close'>> {
  const { graceMs = GRACE_MS, listenAt, node: name, identity, leaseMs } = options
  const ca = await openCertificateAuthority(options.caFolder)
  const postgres = await openPostgresNode(options.store, { node: name, durationMs: leaseMs })
  cleanups.push(() => postgres.close())
  const values = await agreeOnValues(postgres.database, offerValues(options))
  refuseOtherToken(options, values)
  const worlds = await openWorlds(postgres, options, values)
  const nodes = createNodeList(postgres.database, { name, identity, aliveMs: 2 * leaseMs })
  await nodes.releaseLeft()
  const listeners: Listener[] = []
  const onStorage: ServeOptions['onStorage'] = (problem, world) => {
    options.onStorage?.(problem, world)
    if (problem && !passes(problem)) served.drop(world.name)
  }
  const shared = createShared({ ...options, onStorage }, values, { ca, listeners, caPems: nodes.caPems })
  cleanups.push(() => shared.transport.close())
  const isReachable = listenAt !== undefined
  const served: NodeWorlds = openNodeWorlds({
    ...options,
    ...values,
    worlds,
    nodes,
    shared,
    graceMs,
    isReachable,
  })
  cleanups.push(async () => {
    const cancelCut = realTime.after(graceMs, () => void shared.transport.close())
    await served.close()
    await nodes.leave().catch(() => {})
    cancelCut()
  })
  const addresses = await listenOnBoth(served, { ...options, ca, listeners, graceMs }, cleanups)
  const { service: serviceUrl, bench: benchUrl } = addresses.publicUrls
  await nodes.enter({ serviceUrl, benchUrl, caPem: ca.certificatePem })
  const watch = startNodeWatch({ ...options, ...served, worlds, nodes, realTime })
  cleanups.push(() => watch.close())
  return {
    ...addresses,
    ca,
    rootToken: values.rootToken,
    use: async (world, run) => served.registry.use(await findWorld(worlds, world), run),
  }
}

async function findWorld(worlds: PostgresWorlds, name: string): Promise<WorldRecord> {
  const found = name === DEFAULT_WORLD ? worlds.first : await worlds.find('name', name)
  if (found) return found
  throw new WorldGoneError({ name })
}

interface ListeningParts extends ServeNodeOptions {
  readonly ca: CertificateAuthority
  /** Gets each as it is opened. */
  readonly listeners: Listener[]
  readonly graceMs: number
}

async function listenOnBoth(
  { doors, registry }: NodeWorlds,
  { ca, listeners, graceMs, ...options }: ListeningParts,
  cleanups: (() => unknown)[],
): Promise<Pick<ServedNode, 'serviceUrl' | 'benchUrl' | 'publicUrls'>> {
  const listening = await toListenOptions(options, ca)
  const service = await listen(doors.service, listening.service)
  listeners.push(service)
  cleanups.push(() => service.close(graceMs))
  const bench = await listen(withDashboard(doors.bench, readDashboardFile), listening.bench)
  listeners.push(bench)
  cleanups.push(() => registry.hangUp().then(() => bench.close(graceMs)))
  const publicUrls = { service: service.publicUrl, bench: bench.publicUrl }
  return { serviceUrl: service.url, benchUrl: bench.url, publicUrls }
}

function offerValues({ benchToken }: ServeNodeOptions): SharedValues {
  return { rootToken: benchToken ?? secretText(), tokenKey: secretText(), nodeSecret: secretText() }
}

async function openWorlds(postgres: PostgresNode, options: ServeNodeOptions, { rootToken }: SharedValues) {
  const first: WorldRecord = {
    id: DEFAULT_WORLD,
    name: DEFAULT_WORLD,
    credentials: options.settings.credentials,
    controlToken: rootToken,
    createdAt: realTime.now(),
    expiresAt: null,
    seed: options.seed,
    speed: options.speed,
  }
  const worlds = await openPostgresWorlds(postgres, { first, onTaken: options.onTaken })
  refuseOtherBeginning(options, worlds.first)
  return worlds
}

interface SharedPorts {
  readonly ca: CertificateAuthority
  readonly listeners: readonly Listener[]
  readonly caPems: () => readonly string[]
}

function createShared(
  options: ServeOptions,
  { rootToken, tokenKey }: SharedValues,
  { ca, listeners, caPems }: SharedPorts,
) {
  const egress = createEgress({
    allowTargets: options.allowTargets,
    ownPorts: () => listeners.map(({ port }) => port),
  })
  const own = [ca.certificatePem, options.receiverCa].filter((pem) => pem !== undefined)
  const all = () => [...new Set([...own, ...caPems()])]
  return {
    options,
    egress,
    transport: createTransport(options, all, egress),
    mostPosts: mostPosts(),
    startedAt: realTime.now(),
    tokenKey: Buffer.from(tokenKey, 'base64url'),
    rootToken,
    serviceUrl: () => listeners[0]?.publicUrl ?? '',
    benchUrl: () => listeners[1]?.url ?? '',
  } satisfies SharedParts
}

import { flushCompileCache } from 'node:module'
import { commandLine } from '../engine/core/command-line.ts'
import { findBusyPorts } from '../adapters/loopback.ts'
import { tightenRights } from '../adapters/data-folder-rights.ts'
import {
  claim,
  openDataFolder,
  readTokenKey,
  writeBenchToken,
  writeRun,
  type DataFolder,
} from '../adapters/data-folder.ts'
import { ListenError } from '../adapters/listen-error.ts'
import type { ListenPlace } from '../adapters/listen-place.ts'
import { findTrustedCas } from '../client/control-address.ts'
import type { BenchPlace, ServeOptions } from '../compose/serve-options.ts'
import { serveSandbox, type ServedSandbox } from '../compose/serve-sandbox.ts'
import { defaultCredentials } from '../engine/core/settings.ts'
import { VERSION } from '../engine/core/version.ts'
import { isTemporary, StorageError } from '../engine/state/storage-error.ts'
import { dashboardUrl } from './dashboard-address.ts'
import { printWarning } from './failure.ts'
import { warnOfLeftWorlds } from './left-worlds.ts'
import { warnOfLiveSecrets } from './live-secret-warnings.ts'
import { acceptLossOf, unguardedOf } from './stores.ts'
import { formatFacts, type LabeledValue, style } from './terminal.ts'
import { printError, printJson, printWorldEvents, reportStorage } from './up-lines.ts'
import type { UpOptions } from './up-options.ts'
import { toPrintable } from '../engine/core/short-text.ts'

export interface RunningSandbox extends ServedSandbox {
  readonly benchToken: string
  /** Resolves when the store fails permanently. */
  readonly failed: Promise<void>
}

interface PortChoice {
  readonly port: number
  readonly flag: string
  readonly address?: string | undefined
}

export interface RunOutput {
  readonly json: boolean
  readonly judge?: ServeOptions['judge']
  readonly others?: readonly PortChoice[]
}

export async function runSandbox(
  options: UpOptions,
  { json, judge, others = [] }: RunOutput,
): Promise<RunningSandbox> {
  // Ignores errors of standard output, so that deliveries continue after the output is closed.
  process.stdout.on('error', () => {})
  const { client_secret, api_token } = options.settings.credentials
  warnOfLiveSecrets({ client_secret, api_token })
  const folder = openDataFolder(options.data)
  const release = claim(folder)
  const failed = Promise.withResolvers<void>()
  let opened: ServedSandbox | undefined
  try {
    if (!options.memory) reportStore(folder, options)
    const benchToken = await prepareFolder(folder, options, others)
    const served: ServedSandbox = await serveSandbox({
      ...toServeOptions(folder, options, { benchToken, json, judge }),
      storePath: options.memory ? undefined : folder.storePath,
      onStorage: (problem, world) => void (reportStorage(problem, world) && failed.resolve()),
    })
    opened = served
    const { serviceUrl: service_url, benchUrl: bench_url } = served
    writeRun(folder, { service_url, bench_url })
    const close = () => served.close().finally(release)
    const running = { ...served, benchToken, failed: failed.promise, close }
    const allowed_hosts = options.listenAt?.allowedHosts
    if (json) printJson({ event: 'ready', service_url, bench_url, allowed_hosts, data: folder.path })
    else console.log(banner(running, options, folder.path))
    // Writes the compile cache now, because the sandbox may be killed later. The write takes 4 ms, and is needed only once.
    flushCompileCache()
    return running
  } catch (error) {
    await opened?.close()
    release()
    throw error
  }
}

/** Makes the data folder private and writes the control API token. Throws ListenError if a port is in use. */
export async function prepareFolder(
  folder: DataFolder,
  options: UpOptions,
  others: readonly PortChoice[] = [],
): Promise<string> {
  reportTightened(tightenRights(folder))
  warnOfLeftWorlds(options.data)
  await refuseBusyPorts([...ownPorts(options), ...others])
  return writeBenchToken(folder, options.token)
}

export function toServeOptions(
  folder: DataFolder,
  options: UpOptions,
  { benchToken, json, judge }: Pick<RunOutput, 'json' | 'judge'> & { readonly benchToken: string },
) {
  return {
    ...options,
    caFolder: folder.caFolder,
    dataFolder: options.data,
    benchToken,
    judge,
    diagnose: (place) => diagnoseOwn(place, options.data),
    tokenKey: readTokenKey(folder),
    ...printWorldEvents({ json, data: options.data }),
    onError: printError,
  } satisfies ServeOptions
}

async function diagnoseOwn({ benchUrl: url, benchToken: token, world }: BenchPlace, data: string) {
  const { diagnoseSandbox } = await import('./doctor-command.ts')
  return diagnoseSandbox({ url, token, world, trustedCas: findTrustedCas(data, {}) }, data)
}

function reportStore(folder: DataFolder, { acceptLoss }: Pick<UpOptions, 'acceptLoss'>): void {
  for (const look of [unguardedOf, ...(acceptLoss ? [acceptLossOf] : [])]) {
    const text = look(folder.storePath)
    if (text !== undefined) printWarning(text)
  }
}

function reportTightened(paths: readonly string[]): void {
  if (paths.length === 0) return
  const list = new Intl.ListFormat('en-GB').format(paths.map((path) => `"${path}"`))
  printWarning(`Other users had access to ${list}. The sandbox removed their access`)
}

/** Throws StorageError if the store fails. */
export async function closeWhenStopped(sandbox: RunningSandbox, stopped: Promise<void>): Promise<void> {
  await Promise.race([stopped, sandbox.failed])
  await closeSandbox(sandbox)
}

/** Throws StorageError if the store has failed. */
export async function closeSandbox(sandbox: RunningSandbox): Promise<void> {
  await sandbox.close().catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
  })
  const { problem } = sandbox.store
  if (problem === undefined || isTemporary(problem)) return
  // Treats an unusable store as failed, because it was usable at startup.
  const kind = problem.kind === 'unusable' ? 'failed' : problem.kind
  throw new StorageError(kind, problem.message, { cause: problem })
}

function ownPorts({ port, benchPort, listenAt }: UpOptions): readonly PortChoice[] {
  const address = listenAt?.address
  return [
    { port, flag: '--port', address },
    { port: benchPort, flag: '--bench-port', address },
  ]
}

async function refuseBusyPorts(wanted: readonly PortChoice[]): Promise<void> {
  const taken = await findBusyPorts(wanted)
  if (taken.length === 0) return
  const list = new Intl.ListFormat('en-GB')
  const ports = list.format(taken.map(({ port }) => String(port)))
  const flags = list.format(taken.map(({ flag }) => flag))
  throw new ListenError(
    taken.length === 1
      ? `Cannot listen on port ${ports}: the port is in use. Choose another port with ${flags} (0 takes any free port)`
      : `Cannot listen on ports ${ports}: the ports are in use. Choose other ports with ${flags} (0 takes any free port)`,
  )
}

function banner({ publicUrls, benchToken, ca, context }: RunningSandbox, options: UpOptions, path: string) {
  const { client_id, client_secret } = options.settings.credentials
  const isDefault = client_secret === defaultCredentials.client_secret
  const client = `client ${toPrintable(client_id)}${isDefault ? ` / ${client_secret}` : ''}`
  const { clock } = context
  const now = new Date(clock.now()).toISOString()
  const pace = {
    real: 'real time',
    manual: `only "${commandLine('advance', options.data)}" moves the clock`,
    compressed: `${clock.speed} times real time`,
  }
  // Does not print the token if other machines can reach the sandbox, because many people can read the logs of a container.
  const isShown = options.listenAt === undefined
  const dashboard = dashboardUrl({ benchUrl: publicUrls.bench, benchToken }, isShown && process.stdout.isTTY)
  const facts: readonly LabeledValue[] = [
    ['service', style('cyan', publicUrls.service), client],
    ['bench', style('cyan', publicUrls.bench), isShown ? `token ${benchToken}` : 'with your token'],
    ['dashboard', style('cyan', dashboard)],
    ...(options.listenAt ? [listeningFact(options.listenAt)] : []),
    ['clock', now, pace[clock.mode]],
    ['data', path, options.memory ? 'the store is in memory' : 'the store is on disk'],
    [
      'CA',
      ca.certificatePath,
      `deliveries trust this CA, and "${commandLine('cert localhost', options.data)}" issues a certificate`,
    ],
  ]
  return `${style('bold', `Hookbench ${VERSION}`)}\n${formatFacts(facts)}\n`
}

function listeningFact({ address, allowedHosts }: ListenPlace): LabeledValue {
  const where = /^(0\.0\.0\.0|::)$/.test(address) ? `every address of this machine (${address})` : address
  return ['listening', `on ${where}, over HTTPS, for calls to ${allowedHosts.join(', ')}`]
}

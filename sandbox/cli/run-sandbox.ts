import { flushCompileCache } from 'node:module'
import { commandLine } from '../engine/core/command-line.ts'
import { findBusyPorts } from '../adapters/loopback.ts'
import { tightenRights } from '../adapters/data-folder-rights.ts'
import { claim, openDataFolder, readTokenKey, writeBenchToken, writeRun } from '../adapters/data-folder.ts'
import { describeCutTail } from '../adapters/sqlite/cut-tail.ts'
import { ListenError } from '../adapters/listen-error.ts'
import { serveSandbox, type ServedSandbox } from '../compose/serve-sandbox.ts'
import { defaultCredentials } from '../engine/core/settings.ts'
import type { UnsubscribedTrigger } from '../engine/notifications/unsubscribed-triggers.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import { VERSION } from '../engine/core/version.ts'
import { StorageError } from '../engine/state/log.ts'
import { dashboardUrl } from './dashboard-address.ts'
import { formatFacts, type Fact } from './facts.ts'
import { warnOfLiveSecrets } from './live-secret-warnings.ts'
import { attemptLine, style, unsubscribedLine } from './terminal.ts'
import type { UpOptions } from './up-options.ts'
import type { Judge } from '../api/control/judge.ts'
import { toPrintable, toPrintableJson } from '../engine/core/printable.ts'
import type { JobRecord } from '../engine/state/job.ts'

/** A sandbox that has the data folder for itself. */
export interface RunningSandbox extends ServedSandbox {
  readonly benchToken: string
  /** Resolves when its store fails for good; it is to be closed then. */
  readonly failed: Promise<void>
}

/** A port that is to be listened on, and the flag that chooses it. */
interface PortChoice {
  readonly port: number
  readonly flag: string
}

interface RunOutput {
  readonly json: boolean
  /** Loads what judges the receiver that is registered. */
  readonly judge?: () => Promise<Judge>
  /** Ports that are listened on beside those of the sandbox. */
  readonly others?: readonly PortChoice[]
}

/** Starts a sandbox that prints each delivery, as text or as JSON lines. */
export async function runSandbox(
  options: UpOptions,
  { json, judge, others = [] }: RunOutput,
): Promise<RunningSandbox> {
  // If the reader of the output has gone, deliveries continue.
  process.stdout.on('error', () => {})
  const { client_secret, api_token } = options.settings.credentials
  warnOfLiveSecrets({ client_secret, api_token })
  const folder = openDataFolder(options.data)
  const release = claim(folder)
  const failed = Promise.withResolvers<void>()
  let opened: ServedSandbox | undefined
  try {
    reportTightened(tightenRights(folder))
    if (!options.memory) reportCutTail(folder.storePath)
    const { port, benchPort } = options
    await refuseBusyPorts([{ port, flag: '--port' }, { port: benchPort, flag: '--bench-port' }, ...others])
    const benchToken = writeBenchToken(folder, process.env['HOOKBENCH_TOKEN'] || undefined)
    const served: ServedSandbox = await serveSandbox({
      ...options,
      caFolder: folder.caFolder,
      dataFolder: options.data,
      storePath: options.memory ? undefined : folder.storePath,
      benchToken,
      judge,
      diagnose: async ({ benchUrl: url, benchToken: token }) =>
        (await import('./doctor-command.ts')).diagnose({ url, token }, options.data),
      tokenKey: readTokenKey(folder),
      onAttempt: (job, attempt) =>
        console.log(json ? jsonLine(job, attempt) : attemptLine(job, attempt, served.context.clock)),
      onUnsubscribed: (unsubscribed) => printUnsubscribed(unsubscribed, { json, data: options.data }),
      onError: (where, error) => console.error(`hookbench: ${where} failed:`, error),
      onStorage: (problem) => void (reportStorage(problem) && failed.resolve()),
    })
    opened = served
    const { serviceUrl: service_url, benchUrl: bench_url } = served
    writeRun(folder, { service_url, bench_url })
    const close = () => served.close().finally(release)
    const running = { ...served, benchToken, failed: failed.promise, close }
    if (json) printJson({ event: 'ready', service_url, bench_url, data: folder.path })
    else console.log(banner(running, options, folder.path))
    // What was compiled is kept for the next start now: a sandbox may be killed rather than ended. It takes 4 ms, once.
    flushCompileCache()
    return running
  } catch (error) {
    await opened?.close()
    release()
    throw error
  }
}

function printUnsubscribed(
  unsubscribed: UnsubscribedTrigger,
  { json, data }: { readonly json: boolean; readonly data: string },
): void {
  if (json) printJson({ event: 'unsubscribed', ...unsubscribed })
  else console.log(unsubscribedLine(unsubscribed, data))
}

/** Prints one line for a disk that is full, and for one that is no more. Whether the store has failed for good. */
function reportStorage(problem: StorageError | undefined): boolean {
  if (problem && problem.kind !== 'full') return true
  console.error(
    problem
      ? `hookbench: ${toPrintable(problem.message)}; changes are refused and nothing is sent until there is room`
      : 'hookbench: There is room again: changes are taken, and what is due is sent',
  )
  return false
}

function reportCutTail(storePath: string): void {
  const text = describeCutTail(storePath)
  if (text !== undefined) console.error(toPrintable(`hookbench: ${text}`))
}

function reportTightened(paths: readonly string[]): void {
  if (paths.length === 0) return
  const list = new Intl.ListFormat('en-GB').format(paths.map((path) => `"${path}"`))
  console.error(toPrintable(`hookbench: Other users could use ${list}: now only you can`))
}

/** Closes the sandbox when it is to stop, or when its store has failed. Throws StorageError then. */
export async function closeWhenStopped(sandbox: RunningSandbox, stopped: Promise<void>): Promise<void> {
  await Promise.race([stopped, sandbox.failed])
  await closeSandbox(sandbox)
}

/** Throws StorageError if its store has failed, at the latest when it was closed. */
export async function closeSandbox(sandbox: RunningSandbox): Promise<void> {
  const closing = sandbox.close()
  await closing.catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error
  })
  const { problem } = sandbox.store
  if (problem === undefined || problem.kind === 'full') return
  // Of a store that could be used at the start.
  const kind = problem.kind === 'unusable' ? 'failed' : problem.kind
  throw new StorageError(kind, problem.message, { cause: problem })
}

/** Names all ports that are in use at once. Throws ListenError with the remedy. */
async function refuseBusyPorts(wanted: readonly PortChoice[]): Promise<void> {
  const busy = await findBusyPorts(wanted.map(({ port }) => port))
  const taken = wanted.filter(({ port }) => busy.includes(port))
  if (taken.length === 0) return
  const list = new Intl.ListFormat('en-GB')
  const ports = list.format(taken.map(({ port }) => String(port)))
  const flags = list.format(taken.map(({ flag }) => flag))
  throw new ListenError(
    taken.length === 1
      ? `Cannot listen on port ${ports}: it is in use; choose another with ${flags} (0 takes any free one)`
      : `Cannot listen on ports ${ports}: they are in use; choose others with ${flags} (0 takes any free one)`,
  )
}

function banner(
  { serviceUrl, benchUrl, benchToken, ca, context }: RunningSandbox,
  options: UpOptions,
  path: string,
): string {
  const { client_id, client_secret } = options.settings.credentials
  const isDefault = client_secret === defaultCredentials.client_secret
  const client = `client ${toPrintable(client_id)}${isDefault ? ` / ${client_secret}` : ''}`
  const { clock } = context
  const now = new Date(clock.now()).toISOString()
  const pace = {
    real: 'real time',
    manual: `moved by "${commandLine('advance', options.data)}"`,
    compressed: `${clock.speed} times real time`,
  }
  const facts: readonly Fact[] = [
    ['service', style('cyan', serviceUrl), client],
    ['bench', style('cyan', benchUrl), `token ${benchToken}`],
    ['dashboard', style('cyan', dashboardUrl({ benchUrl, benchToken }, process.stdout.isTTY))],
    ['clock', now, pace[clock.mode]],
    ['data', path, options.memory ? 'the store is in memory' : 'the store is kept'],
    [
      'CA',
      ca.certificatePath,
      `deliveries trust it; "${commandLine('cert localhost', options.data)}" issues from it`,
    ],
  ]
  return `${style('bold', `Hookbench ${VERSION}`)}\n${formatFacts(facts)}\n`
}

function jsonLine(job: JobRecord, { timings, ...attempt }: AttemptHead): string {
  return toPrintableJson({
    event: 'attempt',
    job: job.id,
    object_type: job.object_type,
    object_id: job.object_id,
    state: job.state,
    number: attempt.number,
    status: attempt.status,
    reason: attempt.reason,
    message: attempt.message,
    manual: attempt.manual ?? false,
    faults: (attempt.faults ?? []).map(({ kind }) => kind),
    took_ms: timings.totalMs,
    next_due_at: attempt.next_due_at === null ? null : new Date(attempt.next_due_at).toISOString(),
  })
}

export function printJson(value: unknown): void {
  console.log(toPrintableJson(value))
}

import { isSandbox } from '../probes/local-server.ts'
import { setSecret } from '../probes/secret.ts'
import { untilClosed } from '../probes/until-closed.ts'
import { claimWorld } from '../probes/world-claim.ts'
import { addOwnWorld, keepWorld } from './kept-world.ts'
import type { AttachedService, OwnService, RunOptions } from '../toolkit/options.ts'
import {
  createControlClient,
  createServiceClient,
  findRun,
  ListenError,
  openDataFolder,
  printError,
  RefusedError,
  serveSandbox,
  serviceUrlBeside,
  UnreachableError,
  UsageError,
  type Perform,
  type Registrations,
} from '../../sandbox/internal.ts'
import { readingValues, type ReadingValues } from '../../spec/readings.ts'
import { createTranslator, type Translator } from '../../spec/vocabulary.ts'

/** The service that the receiver is to ask back, and the control API that moves it. */
export interface Service {
  readonly perform: Perform
  /** Where the receiver asks back. */
  readonly url: string
  readonly readings: ReadingValues
  readonly translator: Translator
  /** Moves its clock, which stands still otherwise but for a millisecond with each change; gives what it shows then. */
  readonly passTime: (ms: number) => Promise<string>
  /** PEM of what the service trusts beside the public roots. */
  readonly trustedCas: readonly string[]
  /** Registers webhooks as a platform does. */
  readonly webhooks: () => Promise<Registrations>
  /** Puts everything back as it was. */
  close(): Promise<void>
}

/** Throws ListenError, DataFolderError, UnreachableError or UsageError, each with the remedy. */
export async function openService(options: RunOptions): Promise<Service> {
  const { secret, service } = options
  const opened =
    service.kind === 'own' ? await openOwn(options, service) : await openAttached(options, service)
  try {
    if (secret !== undefined) {
      const { url, trustedCas: trusted } = opened
      await setSecret(secret, { url, credentials: service.credentials, trusted })
    }
    const { url, trustedCas } = opened
    const { credentials } = service
    return {
      ...opened,
      webhooks: async () => (await createServiceClient(url, credentials, trustedCas)).webhooks,
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

type OpenedService = Omit<Service, 'webhooks'>

async function openOwn(
  { receiver, readings, vocabulary }: RunOptions,
  {
    port,
    data,
    allowTargets,
    credentials,
    isLarge = false,
  }: Extract<RunOptions['service'], { readonly kind: 'own' }>,
): Promise<OpenedService> {
  const served = await serveSandbox({
    caFolder: openDataFolder(data).caFolder,
    dataFolder: data,
    usesScratch: isLarge,
    port,
    benchPort: 0,
    // Its ids come from seeds of the checks' own; its time is the present, for a receiver that looks at ages.
    speed: 0,
    allowTargets,
    source: receiver.source,
    receiverCa: receiver.ca,
    settings: { readings, credentials, vocabulary },
    onError: printError,
  }).catch(async (error: unknown) => {
    throw await explainBusyPort(error, { port, data })
  })
  return {
    perform: served.perform,
    passTime: createTicker(served.perform),
    url: served.serviceUrl,
    readings: served.context.readings(),
    translator: served.context.translator,
    trustedCas: [served.ca.certificatePem],
    close: () => served.close(),
  }
}

/** Its world is put back or removed at the end whatever happens. */
async function openAttached(
  { readings, vocabulary }: RunOptions,
  service: AttachedService,
): Promise<OpenedService> {
  const control = createControlClient(service)
  const { guard, end } = await takeWorld(service)
  const perform = guard(control)
  try {
    const { service_url } = await perform('getHealth')
    await perform('resetSandbox', { query: { unsubscribed: 'ignore' } })
    await perform('setClock', { body: { mode: 'manual' } })
    await perform('setReadings', { body: readings })
    const whileOpen = untilClosed(perform)
    const performOn = explainLoss(whileOpen.perform, service)
    return {
      perform: performOn,
      passTime: createTicker(performOn),
      url: serviceUrlBeside(service.url, service_url),
      readings: readingValues(readings),
      translator: createTranslator(vocabulary),
      trustedCas: service.trustedCas ?? [],
      async close() {
        await whileOpen.close()
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}

interface TakenWorld {
  /** Performs it as long as the world is this run's. */
  readonly guard: (perform: Perform) => Perform
  /** Puts it back, or removes it. */
  readonly end: () => Promise<void>
}

/** The world that the run uses, for no other run at the same time. Throws DataFolderError, UnreachableError or UsageError. */
async function takeWorld(service: AttachedService): Promise<TakenWorld> {
  const guard: TakenWorld['guard'] = (perform) => perform
  if (service.ownWorld) return { guard, end: (await addOwnWorld(service.ownWorld, service)).remove }
  const perform = createControlClient(service)
  // Where nothing answers, nothing is kept.
  await perform('getHealth')
  if (service.isConducted) return { guard, end: (await keepWorld(service)).putBack }
  const claim = await claimWorld(perform)
  try {
    const { putBack } = await keepWorld(service)
    return { guard: claim.guard, end: () => claim.end(putBack) }
  } catch (error) {
    await claim.end(() => Promise.resolve())
    throw error
  }
}

/** One after the other: the clock takes one advance at a time. */
function createTicker(perform: Perform): Service['passTime'] {
  let last: Promise<unknown> = Promise.resolve()
  return async (ms) => {
    const tick = last.catch(() => {}).then(() => perform('advanceClock', { body: { by: `${ms}ms` } }))
    last = tick
    return (await tick).now
  }
}

/** What to say where the service of a run cannot have its port: who has it, and how to check beside it. */
async function explainBusyPort(
  error: unknown,
  { port, data }: Pick<OwnService, 'port' | 'data'>,
): Promise<unknown> {
  if (!(error instanceof ListenError) || error.code !== 'EADDRINUSE') return error
  const run = findRun(data)
  const service = run && new URL(run.service_url)
  const isThere = service?.protocol === 'https:' || (await isSandbox(port))
  const holder =
    isThere && service?.port === String(port)
      ? `the sandbox of data folder "${data}" has it. Check in that sandbox with --attach (service: { attach: true })`
      : isThere
        ? 'another sandbox or another run of checks has it. Check in that sandbox with --attach and the address of its bench'
        : 'another program has it. Stop that program'
  return new UsageError(
    `Cannot listen on port ${port}: ${holder}, or use --port 0 (port: 0), whose address the run prints`,
    { cause: error },
  )
}

/** Codes by which a sandbox says that it is none of the call's doing, and that the same call may be taken later. */
const PASSING: ReadonlySet<string | undefined> = new Set([
  'storage_full',
  'storage_gone',
  'storage_away',
  'standby',
])

/**
 * What a run asks of its sandbox while it is under way. Where its world goes, or takes nothing any more, nothing is known of the
 * receiver: that is an UnreachableError with the remedy, and no refusal.
 */
function explainLoss(perform: Perform, service: Pick<AttachedService, 'world' | 'ownWorld'>): Perform {
  return async (id, ...input) => {
    try {
      return await perform(id, ...input)
    } catch (error) {
      throw error instanceof RefusedError ? (toLoss(error, service) ?? error) : error
    }
  }
}

function toLoss(
  cause: RefusedError,
  { world = 'default', ownWorld }: Pick<AttachedService, 'world' | 'ownWorld'>,
): UnreachableError | undefined {
  const { code, message } = cause
  const attempt = 'go on with the run'
  if (code === 'unknown_world') {
    const ttl = `its ${ownWorld?.lifetimeSeconds} seconds are over, or somebody removed it`
    const [why, hint] = ownWorld
      ? [ttl, 'give it longer than the run takes, with --ttl or "service.ttlSeconds"']
      : ['somebody removed it', 'add it, and run it again']
    return new UnreachableError(attempt, {
      code: 'lost_world',
      state: `world "${world}" is there no more: ${why}`,
      hint,
      cause,
    })
  }
  if (!PASSING.has(code)) return undefined
  return new UnreachableError(attempt, { code: 'lost_world', state: message, hint: 'run it again', cause })
}

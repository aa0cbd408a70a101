import { isSandbox } from '../probes/local-server.ts'
import { untilClosed } from '../probes/until-closed.ts'
import { lostWorldError, takeWorld } from '../probes/attached-world.ts'
import type { AttachedService, OwnService, RunOptions } from '../toolkit/options.ts'
import { createLimit } from '../toolkit/scheduling.ts'
import {
  createServiceClient,
  findRun,
  ListenError,
  openDataFolder,
  printError,
  RefusedError,
  serveSandbox,
  serviceUrlBeside,
  type UnreachableError,
  UsageError,
  type Perform,
  type Registrations,
} from '../../sandbox/internal.ts'
import { errorMessage } from '../../spec/errors.ts'
import { readingValues, type ReadingValues } from '../../spec/readings.ts'
import { createTranslator, type Translator } from '../../spec/vocabulary.ts'

/** The service that the receiver calls back, and its control API. */
export interface Service {
  readonly perform: Perform
  readonly url: string
  readonly readings: ReadingValues
  readonly translator: Translator
  /** Advances the clock and returns the new time. Without a call, the clock advances by one millisecond per change. */
  readonly passTime: (ms: number) => Promise<string>
  /** PEM certificates of CAs that the service trusts in addition to the public CAs. */
  readonly trustedCas: readonly string[]
  readonly webhooks: () => Promise<Registrations>
  close(): Promise<void>
}

/** Throws ListenError, DataFolderError, UnreachableError or UsageError. */
export async function openService(options: RunOptions): Promise<Service> {
  const { secret, service } = options
  const opened =
    service.kind === 'own' ? await openOwn(options, service) : await openAttached(options, service)
  const { url, trustedCas } = opened
  try {
    const createClient = () => createServiceClient(url, service.credentials, trustedCas)
    if (secret !== undefined) {
      await (await createClient()).setSecret(secret).catch((cause: unknown) => {
        const remedy = 'Set another "signatureSecret"'
        throw new UsageError(`Cannot set the webhook secret: ${errorMessage(cause)}. ${remedy}`, { cause })
      })
    }
    return { ...opened, webhooks: async () => (await createClient()).webhooks }
  } catch (error) {
    await opened.close()
    throw error
  }
}

type OpenedService = Omit<Service, 'webhooks'>

async function openOwn(
  { receiver, readings, vocabulary }: RunOptions,
  { port, data, allowTargets, credentials, isLarge = false }: OwnService,
): Promise<OpenedService> {
  const served = await serveSandbox({
    caFolder: openDataFolder(data).caFolder,
    dataFolder: data,
    usesScratch: isLarge,
    port,
    benchPort: 0,
    // The clock starts at the real time, because a receiver may check the age of a signature.
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

/** Uses a world of a running sandbox. At the end, the run restores or removes this world. */
async function openAttached({ readings, vocabulary }: RunOptions, service: AttachedService) {
  const { perform, end } = await takeWorld(service)
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

/** Returns a function that advances the clock. Calls run one by one, because the clock accepts one advance at a time. */
function createTicker(perform: Perform): Service['passTime'] {
  const inTurn = createLimit(1)
  return (ms) => inTurn(async () => (await perform('advanceClock', { body: { by: `${ms}ms` } })).now)
}

/** Returns an error that names the program on the port and another way to run the check. */
async function explainBusyPort(error: unknown, { port, data }: Pick<OwnService, 'port' | 'data'>) {
  if (!(error instanceof ListenError) || error.code !== 'EADDRINUSE') return error
  const run = findRun(data)
  const service = run && new URL(run.service_url)
  const isThere = service?.protocol === 'https:' || (await isSandbox(port))
  const holder =
    isThere && service?.port === String(port)
      ? `the sandbox of data folder "${data}" uses the port. Run the checks in that sandbox with --attach (service: { attach: true })`
      : isThere
        ? 'another sandbox or another run of checks uses the port. Run the checks in that sandbox with --attach and the address of its bench'
        : 'another program uses the port. Stop that program'
  return new UsageError(
    `Cannot listen on port ${port}: ${holder}, or use a free port with --port 0 (port: 0)`,
    { cause: error },
  )
}

/** The error codes of temporary rejections. The same call may succeed later. */
const PASSING: ReadonlySet<string | undefined> = new Set([
  'storage_full',
  'storage_gone',
  'storage_away',
  'standby',
])

/** Converts the error for a lost world into an UnreachableError, because the receiver did not cause this error. */
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
  if (code === 'unknown_world') {
    const ttl = `its lifetime of ${ownWorld?.lifetimeSeconds} seconds has ended, or another user removed it`
    const [why, hint] = ownWorld
      ? [ttl, 'set a lifetime longer than the run, with --ttl or "service.ttlSeconds"']
      : ['another user removed it', 'add the world, and repeat the run']
    return lostWorldError(`world "${world}" no longer exists: ${why}`, hint, cause)
  }
  return PASSING.has(code) ? lostWorldError(message, 'repeat the run', cause) : undefined
}

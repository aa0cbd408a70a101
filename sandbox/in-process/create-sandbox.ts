import { createInProcessTransport } from './in-process-transport.ts'
import { secretBytes, secretText } from '../adapters/random.ts'
import { realTime } from '../adapters/real-time.ts'
import { timeAndChance } from '../adapters/time-and-chance.ts'
import { assemble, type Assembled } from '../compose/assemble.ts'
import { createEgress } from '../engine/delivery/egress.ts'
import { createInbox, type Inbox } from './deliveries.ts'
import { receiverRows, type ReceiverFunction, type Receivers } from './receivers.ts'
import { registerAll } from './registration.ts'
import type { Sandbox } from './sandbox.ts'
import { sandboxOver } from './sandbox-over.ts'
import { seedingOf } from './seeding.ts'
import { validReadings, defaultCredentials, type Credentials } from '../engine/core/settings.ts'
import { createData } from './data.ts'
import { createMemoryLog } from '../engine/state/memory-log.ts'
import { openSqliteLog } from '../adapters/sqlite-log.ts'

export interface SandboxOptions {
  /** Where the service seems to be; nothing listens there. */
  readonly origin?: string
  /** `manual` moves only by `advance`; a number is sandbox seconds per real second. */
  readonly clock?: 'manual' | 'real' | number
  /** The same seed gives the same ids; with a manual clock, the same times too. */
  readonly seed?: number
  /** Your receiver of each object type, registered before the sandbox is handed over. */
  readonly receivers?: Receivers
  /** What to choose where the service's document is open, by reading id. */
  readonly readings?: Readonly<Record<string, string>>
  readonly credentials?: Partial<Credentials>
  /** A SQLite file for the store; in memory if left out. */
  readonly storePath?: string
}

const RECEIVER_HOST = 'receiver.test'
const FOLDERS = { webhooks: 'notifications', callbacks: 'callbacks' } as const

/**
 * Makes a sandbox for a test. Every rule of the service holds but those about sockets and certificates. Throws if a
 * receiver does not answer its test POST with success.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { receivers = {} } = options
  const origin = originOf(options.origin ?? 'https://service.test')
  const rows = receiverRows(receivers)
  const receiverByPlace = new Map<string, ReceiverFunction>()
  const errors: unknown[] = []
  const inbox = createInbox(realTime)
  const assembled = assembleInProcess(options, { origin, receiverByPlace, inbox, errors })
  const live = await createData({
    ...seedingOf(assembled),
    store: assembled.store,
    onError: (error) => errors.push(error),
  })
  assembled.onReplaced(() => {
    inbox.clear()
    void live.resync()
  })
  assembled.start()

  /** Each receiver at an address that nobody guesses. Source: §5 */
  async function registerReceivers(): Promise<void> {
    const places = rows.map(({ receive, ...row }) => {
      const url = `https://${RECEIVER_HOST}/${FOLDERS[row.generation]}/${row.object_type}/${assembled.context.newId()}`
      receiverByPlace.set(placeOf(url), async (request) => {
        // What it is told of, it finds in the collections too.
        await live.synced()
        return receive(request)
      })
      return { ...row, url }
    })
    await registerAll(places, { origin, fetch: assembled.service, context: assembled.context })
  }

  const sandbox = sandboxOver(assembled, { origin, live, inbox, errors, registerReceivers })
  try {
    await registerReceivers()
    return sandbox
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

/** Throws RangeError for what is no origin. */
function originOf(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '') return url.origin
  throw new RangeError(`Cannot serve at origin "${text}": it takes an origin such as https://service.test`)
}

/** What a URL of ours is for, whoever made its token: a world that is put back has the URLs of another sandbox. */
function placeOf(url: string): string {
  return url.replace(/[^/]*$/, '')
}

interface Inside {
  readonly origin: string
  readonly receiverByPlace: ReadonlyMap<string, ReceiverFunction>
  readonly inbox: Pick<Inbox, 'record'>
  readonly errors: unknown[]
}

function assembleInProcess(
  options: SandboxOptions,
  { origin, receiverByPlace, inbox, errors }: Inside,
): Assembled {
  const { clock = 'manual', seed, readings, credentials, storePath } = options
  const speed = clock === 'manual' ? 0 : clock === 'real' ? 1 : clock
  const log = storePath === undefined ? createMemoryLog() : openSqliteLog(storePath)
  return assemble({
    ports: {
      ...timeAndChance({ speed, seed }, log),
      transport: createInProcessTransport((url) => receiverByPlace.get(placeOf(url)), realTime),
    },
    log,
    settings: {
      // Nothing lags where nothing is sent over a network. Reading: job-recording-lag
      readings: validReadings({ 'job-recording-lag': '0ms', ...readings }),
      credentials: { ...defaultCredentials, ...credentials },
    },
    egress: createEgress({ allowTargets: [RECEIVER_HOST], ownPorts: () => [] }),
    tokenKey: secretBytes(),
    benchToken: secretText(),
    serviceUrl: () => origin,
    onAttempt: inbox.record,
    onError: (_, error) => errors.push(error),
  })
}

import { createInProcessTransport } from './in-process-transport.ts'
import { secretBytes, secretText } from '../adapters/secrets.ts'
import { realTime } from '../adapters/real-time.ts'
import { createClockAndRandom } from '../adapters/clock-and-random.ts'
import { assemble, type Assembled } from '../compose/assemble.ts'
import { toFetchHandler } from '../api/http/fetch-handler.ts'
import { FASTEST } from '../engine/core/ports.ts'
import { createEgress } from '../engine/delivery/egress.ts'
import { createControlMethods } from './control-methods.ts'
import { createExpectations, createInbox, type Inbox } from './deliveries.ts'
import { receiverRows, type ReceiverFunction, type Receivers } from './receivers.ts'
import { registerAll } from './registration.ts'
import type { Sandbox } from './sandbox.ts'
import { checkReadings, defaultCredentials, type Credentials } from '../engine/core/settings.ts'
import {
  checkArgument,
  object,
  optional,
  refuseUnknownOptions,
  text,
  type ArgumentKind,
} from './arguments.ts'
import { checkCalls } from './checked-calls.ts'
import { createData, type LiveData } from './data.ts'
import { openSqliteLog } from '../adapters/sqlite/sqlite-log.ts'
import { createMemoryLog } from '../engine/state/log.ts'
import { createStore } from '../engine/state/store.ts'

/** How a sandbox of a test is to be; each has a default. */
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

/** Each of them, so that the compiler asks for a new one here. */
const OPTIONS: { readonly [Name in keyof Required<SandboxOptions>]: ArgumentKind } = {
  origin: { takes: "an origin such as 'https://service.test'", fits: isOrigin },
  clock: {
    takes: `'manual', 'real', or sandbox seconds per real second from 0 to ${FASTEST}`,
    fits: (given) =>
      given === 'manual' || given === 'real' || (typeof given === 'number' && given >= 0 && given <= FASTEST),
  },
  seed: { takes: 'a whole number such as 1', fits: Number.isSafeInteger },
  receivers: object('an object with a function for each object type'),
  readings: object("an object such as { 'retry-window': '24h' }"),
  credentials: object("an object such as { client_id: 'sandbox' }"),
  storePath: text('the path of a file'),
}

const RECEIVER_HOST = 'receiver.test'
const FOLDERS = { webhooks: 'notifications', callbacks: 'callbacks' } as const

/**
 * Makes a sandbox for a test. Every rule of the service holds but those about sockets and certificates. Throws if a
 * receiver does not answer its test POST with success.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options)
  const { origin } = new URL(options.origin ?? 'https://service.test')
  const rows = receiverRows(options.receivers ?? {})
  const receiverByAddress = new Map<string, ReceiverFunction>()
  const errors: unknown[] = []
  const inbox = createInbox(realTime)
  const assembled = assembleInProcess(options, { origin, receiverByAddress, inbox, errors })
  const lifetime = createLifetime(assembled)
  const live = await createData({
    ...assembled,
    async performSilently(id, ...input) {
      lifetime.refuseClosed()
      return assembled.performSilently(id, ...input)
    },
    onError: (error) => errors.push(error),
  })
  assembled.onReplaced(() => {
    inbox.clear()
    void live.resync()
  })
  assembled.start()

  /** Each receiver at a URL that nobody guesses. Source: §5 */
  async function registerReceivers(): Promise<void> {
    const registrations = rows.map(({ receive, ...row }) => {
      const url = `https://${RECEIVER_HOST}/${FOLDERS[row.generation]}/${row.object_type}/${assembled.context.newId()}`
      receiverByAddress.set(withoutToken(url), async (request) => {
        // What it is notified of, it finds in the collections too.
        await live.synced()
        return receive(request)
      })
      return { ...row, url }
    })
    await registerAll(registrations, {
      origin,
      fetch: toFetchHandler(assembled.service),
      context: assembled.context,
    })
  }

  const sandbox = openSandbox(assembled, { origin, live, lifetime, inbox, errors, registerReceivers })
  try {
    await registerReceivers()
    return sandbox
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

function checkOptions(options: SandboxOptions): void {
  const action = 'create a sandbox'
  checkArgument(action, ['options', object('an object of options')], options)
  refuseUnknownOptions(action, options, Object.keys(OPTIONS))
  for (const [name, { takes, fits }] of Object.entries(OPTIONS)) {
    const kind = optional({ takes, fits })
    checkArgument(action, [name, kind], Reflect.get(options, name))
  }
  const { credentials = {} } = options
  refuseUnknownOptions('create credentials', credentials, Object.keys(defaultCredentials))
  for (const [name, value] of Object.entries(credentials)) {
    checkArgument('create credentials', [name, text('text')], value)
  }
}

interface Lifetime {
  close(): Promise<void>
  /** Throws once it is closed: what came after would wait for ever. */
  refuseClosed(): void
}

function createLifetime({ close }: Pick<Assembled, 'close'>): Lifetime {
  let closed: Promise<void> | undefined
  return {
    close: () => (closed ??= close()),
    refuseClosed() {
      if (closed) throw new Error('Cannot use the sandbox: it is closed; make another with createSandbox()')
    },
  }
}

interface SandboxParts {
  readonly origin: string
  readonly live: LiveData
  readonly lifetime: Lifetime
  readonly inbox: Inbox
  /** What went wrong inside, to be thrown at the next occasion. */
  readonly errors: unknown[]
  readonly registerReceivers: () => Promise<void>
}

/** The sandbox as a test has it. */
function openSandbox(assembled: Assembled, inside: SandboxParts): Sandbox {
  const { context, store } = assembled
  const service = toFetchHandler(assembled.service)
  const { origin, live, inbox, errors, registerReceivers, lifetime } = inside
  const { close, refuseClosed } = lifetime

  function throwInner(): void {
    const [cause] = errors.splice(0)
    if (cause !== undefined) throw new Error('The sandbox failed', { cause })
  }

  async function rest(): Promise<void> {
    await assembled.idle()
    await live.synced()
    throwInner()
  }

  return checkCalls({
    origin,
    fetch: async (request) => {
      refuseClosed()
      const response = await service(request)
      await live.synced()
      return response
    },
    data: live.data,
    ...createControlMethods({
      ...assembled,
      async perform(id, ...input) {
        refuseClosed()
        return assembled.perform(id, ...input)
      },
      rest,
      registerReceivers,
    }),
    ...createExpectations(assembled, { inbox, rest, throwInner }),
    jobs: () => store.jobs(),
    attempts: (job) => store.attempts(job),
    now: () => new Date(context.now()),
    close,
    [Symbol.asyncDispose]: close,
  })
}

function isOrigin(given: unknown): boolean {
  const url = URL.parse(String(given))
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === ''
}

/** The address of a receiver without the URL's token: a snapshot that is put back has the URLs of another sandbox. */
function withoutToken(url: string): string {
  return url.replace(/[^/]*$/, '')
}

interface AssemblyOptions {
  readonly origin: string
  readonly receiverByAddress: ReadonlyMap<string, ReceiverFunction>
  readonly inbox: Pick<Inbox, 'record'>
  readonly errors: unknown[]
}

function assembleInProcess(
  options: SandboxOptions,
  { origin, receiverByAddress, inbox, errors }: AssemblyOptions,
): Assembled {
  const { clock = 'manual', seed, readings, credentials, storePath } = options
  const speed = clock === 'manual' ? 0 : clock === 'real' ? 1 : clock
  const log = storePath === undefined ? createMemoryLog() : openSqliteLog(storePath)
  const store = createStore(log, realTime.soon)
  return assemble({
    ports: {
      ...createClockAndRandom({ speed, seed }, store),
      transport: createInProcessTransport((url) => receiverByAddress.get(withoutToken(url)), realTime),
    },
    store,
    settings: {
      // Nothing lags where nothing is sent over a network. Reading: job-recording-lag
      readings: checkReadings({ 'job-recording-lag': '0ms', ...readings }),
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

import { createInProcessTransport } from './in-process-transport.ts'
import { secretBytes, secretText } from '../adapters/secrets.ts'
import { realTime } from '../adapters/real-time.ts'
import { createClockAndRandom } from '../adapters/clock-and-random.ts'
import { assemble, type Assembled } from '../compose/assemble.ts'
import { toFetchHandler } from '../api/http/fetch-handler.ts'
import { createEgress } from '../engine/delivery/egress.ts'
import { createControlMethods } from './control-methods.ts'
import { createExpectations, createInbox, type Inbox } from './deliveries.ts'
import {
  createReceiverCalls,
  receiverRows,
  type ReceiverFunction,
  refuseInsideReceiver,
} from './receivers.ts'
import { checkArgument, isObjectWith, type ArgumentKind } from './arguments.ts'
import { registerAll } from './registration.ts'
import { validateOptions, type SandboxOptions } from './sandbox-options.ts'
import type { Sandbox } from './sandbox.ts'
import { checkReadings, defaultCredentials } from '../engine/core/settings.ts'
import { createData, type LiveData } from './data.ts'
import { MEMORY } from '../adapters/sqlite/database.ts'
import { openSingleStore } from '../adapters/sqlite/store-database.ts'

const RECEIVER_HOST = 'receiver.test'
const FOLDERS = { webhooks: 'notifications', callbacks: 'callbacks' } as const

/**
 * Creates a sandbox for a test. All rules of the service apply, except rules about sockets and certificates. Throws an error if a
 * receiver rejects its test POST.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  validateOptions(options)
  const { origin } = new URL(options.origin ?? 'https://service.test')
  const rows = receiverRows(options.receivers ?? {})
  const receiverByAddress = new Map<string, ReceiverFunction>()
  const errors: unknown[] = []
  const inbox = createInbox(realTime)
  const receiverCalls = createReceiverCalls()
  const assembled = withLifetime(assembleInProcess(options, { origin, receiverByAddress, inbox, errors }))
  const live = await createData({ ...assembled, onError: (error) => errors.push(error) })
  assembled.onReplaced(() => {
    inbox.clear()
    void live.resync()
  })
  assembled.start()

  /** Registers each receiver with a URL that is hard to guess. Source: §5 */
  async function registerReceivers(): Promise<void> {
    const registrations = rows.map(({ receive, ...row }) => {
      const url = `https://${RECEIVER_HOST}/${FOLDERS[row.generation]}/${row.object_type}/${assembled.context.newId()}`
      receiverByAddress.set(withoutToken(url), async (request) => {
        // Waits until the collections contain the object that the receiver may query.
        await live.synced()
        return receiverCalls.call(receive, request)
      })
      return { ...row, url }
    })
    await registerAll(registrations, {
      origin,
      fetch: toFetchHandler(assembled.service),
      context: assembled.context,
      thrownAt: receiverCalls.thrownAt,
    })
  }

  const inside = { origin, live, inbox, errors, registerReceivers }
  const sandbox = refuseInsideReceiver(openSandbox(assembled, inside), receiverCalls.isInside)
  try {
    await registerReceivers()
    return sandbox
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

const REQUEST: ArgumentKind = {
  takes: 'a Request, such as new Request(`${sandbox.origin}/items`)',
  fits: (given) => isObjectWith(given, { url: 'string', method: 'string' }),
}

const JOB: ArgumentKind = {
  takes: 'a job, as jobs() lists it',
  fits: (given) => isObjectWith(given, { attempts: 'number' }),
}

/** Makes calls throw an error after the sandbox is closed, because they would otherwise wait forever. */
function withLifetime(assembled: Assembled): Assembled {
  let closed: Promise<void> | undefined
  const refuseClosed = () => {
    if (closed)
      throw new Error(
        'Cannot use the sandbox: the sandbox is closed. Create another sandbox with createSandbox()',
      )
  }
  return {
    ...assembled,
    async service(request) {
      refuseClosed()
      return assembled.service(request)
    },
    async perform(id, ...input) {
      refuseClosed()
      return assembled.perform(id, ...input)
    },
    async performSilently(id, ...input) {
      refuseClosed()
      return assembled.performSilently(id, ...input)
    },
    close: () => (closed ??= assembled.close()),
  }
}

interface SandboxParts {
  readonly origin: string
  readonly live: LiveData
  readonly inbox: Inbox
  /** The internal errors so far. The next method call throws these errors. */
  readonly errors: unknown[]
  readonly registerReceivers: () => Promise<void>
}

function openSandbox(assembled: Assembled, inside: SandboxParts): Sandbox {
  const { context, store, close } = assembled
  const service = toFetchHandler(assembled.service)
  const { origin, live, inbox, errors, registerReceivers } = inside

  function throwInner(): void {
    const [cause] = errors.splice(0)
    if (cause !== undefined) throw new Error('The sandbox failed', { cause })
  }

  async function rest(): Promise<void> {
    await assembled.idle()
    await live.synced()
    throwInner()
  }

  return {
    origin,
    fetch: async (request) => {
      checkArgument('call fetch()', ['request', REQUEST], request)
      const response = await service(request)
      await live.synced()
      return response
    },
    data: live.data,
    ...createControlMethods({
      ...assembled,
      async settled(call) {
        const result = await call
        await rest()
        return result
      },
      registerReceivers,
    }),
    ...createExpectations(assembled, inbox, { rest, throwInner }),
    jobs: () => store.jobs(),
    attempts(job) {
      checkArgument('call attempts()', ['job', JOB], job)
      return store.attempts(job)
    },
    now: () => new Date(context.clock.now()),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns a receiver's URL without the token. After a restore, the URLs contain the token of another sandbox. */
function withoutToken(url: string): string {
  return url.replace(/[^/]*$/, '')
}

interface AssemblyOptions extends Pick<SandboxParts, 'origin' | 'inbox' | 'errors'> {
  readonly receiverByAddress: ReadonlyMap<string, ReceiverFunction>
}

function assembleInProcess(
  options: SandboxOptions,
  { origin, receiverByAddress, inbox, errors }: AssemblyOptions,
): Assembled {
  const { clock = 'manual', seed, readings, credentials, storePath } = options
  const speed = clock === 'manual' ? 0 : clock === 'real' ? 1 : clock
  const store = openSingleStore(storePath ?? MEMORY, { soon: realTime.soon })
  return assemble({
    ports: {
      ...createClockAndRandom({ speed, seed }, store),
      transport: createInProcessTransport((url) => receiverByAddress.get(withoutToken(url)), realTime),
    },
    store,
    settings: {
      // In-process deliveries have no recording lag, because there is no network. Reading: job-recording-lag
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

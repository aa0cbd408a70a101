import type { ObjectRecord } from '../spec/generated/control-types.ts'
import type { Item, Token, WebhookError } from '../spec/generated/service-types.ts'
import { createClock } from './adapters/clock.ts'
import { createInProcessTransport, type ReceiverFunction } from './adapters/in-process-transport.ts'
import { secretBytes, secretText, seeded, unpredictable } from './adapters/random.ts'
import { realTime } from './adapters/real-time.ts'
import { assemble, type Assembled } from './assemble.ts'
import { advanceTarget } from './control/clock.ts'
import { changeObject, createObject } from './control/objects.ts'
import { createEgress } from './delivery/egress.ts'
import type { Decision } from './operations/operation.ts'
import { chosenReadings, defaultCredentials, type Credentials } from './settings.ts'
import type { JobRecord } from './state/indexes.ts'
import { createData, type Data, type LiveData } from './state/data.ts'
import type { Log } from './state/log.ts'
import { createMemoryLog } from './state/memory-log.ts'
import { openSqliteLog } from './state/sqlite-log.ts'
import type { AttemptRecord } from './state/store.ts'

export interface SandboxOptions {
  /** Where the service seems to be; nothing listens there. */
  readonly origin?: string
  /** `manual` moves only by `advance`; a number is sandbox seconds per real second. */
  readonly clock?: 'manual' | 'real' | number
  /** The same seed gives the same ids; with a manual clock, the same times too. */
  readonly seed?: number
  /** Your receiver of each object type, registered before the sandbox is handed over. */
  readonly receivers?: { readonly items?: ReceiverFunction }
  /** What to choose where the service's document is open, by reading id. */
  readonly readings?: Readonly<Record<string, string>>
  readonly credentials?: Partial<Credentials>
  /** A SQLite file for the store; in memory if left out. */
  readonly storePath?: string
}

/** A sandbox inside this process: no port, no socket, no timer that a test must wait for. */
export interface Sandbox {
  readonly origin: string
  /** The service API, as a function. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The objects as `@mswjs/data` collections: query them, seed them with `create`. */
  readonly data: Data
  /** Creates an item, with what is left out filled in; resolves when its notifications were attempted. */
  create(type: 'items', fields?: Partial<Item>): Promise<Item>
  /** Changes an item; resolves when its notifications were attempted. Throws if the spec forbids the change. */
  change(type: 'items', id: string, fields: Partial<Item>): Promise<Item>
  /** Moves the clock, by a duration such as `25m` or to an instant, with every attempt that falls due on the way. */
  advance(by: string | Date): Promise<void>
  /** Resolves when nothing is due now or under way. */
  settle(): Promise<void>
  /** Every job so far, oldest first. */
  jobs(): readonly JobRecord[]
  attempts(job: JobRecord): readonly AttemptRecord[]
  now(): Date
  close(): Promise<void>
}

const RECEIVER_HOST = 'receiver.test'
const SEEDED_START = Date.parse('2026-01-01T00:00:00.000Z')

/**
 * Makes a sandbox for a test. Every rule of the service holds but those about sockets and certificates. Throws if a
 * receiver does not answer its test POST with success.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { origin = 'https://service.test', receivers = {} } = options
  const receiverByUrl = new Map<string, ReceiverFunction>()
  const errors: unknown[] = []
  const assembled = assembleInProcess(options, { origin, receiverByUrl, errors })
  const live = await createData(assembled)
  assembled.start()
  const sandbox = sandboxOver(assembled, { origin, live, errors })
  for (const [type, receiver] of Object.entries(receivers)) {
    const url = `https://${RECEIVER_HOST}/notifications/${type}/${assembled.context.newId()}`
    receiverByUrl.set(url, receiver)
    await register(sandbox, { url, object_type: type }, assembled.context.credentials)
  }
  return sandbox
}

interface Inside {
  readonly origin: string
  readonly receiverByUrl: ReadonlyMap<string, ReceiverFunction>
  readonly errors: unknown[]
}

function assembleInProcess(options: SandboxOptions, { origin, receiverByUrl, errors }: Inside): Assembled {
  const { clock = 'manual', seed, readings, credentials, storePath } = options
  const speed = clock === 'manual' ? 0 : clock === 'real' ? 1 : clock
  const log = storePath === undefined ? createMemoryLog() : openSqliteLog(storePath)
  const startAt = seed !== undefined && speed === 0 ? SEEDED_START : realTime.now()
  return assemble({
    ports: {
      clock: createClock(realTime, { startAt: Math.max(startAt, latestAt(log)), speed }),
      realTime,
      transport: createInProcessTransport(receiverByUrl, realTime),
      random: seed === undefined ? unpredictable() : seeded(seed + log.length),
    },
    log,
    settings: {
      // Nothing lags where nothing is sent over a network. Reading: job-recording-lag
      readings: chosenReadings({ 'job-recording-lag': '0ms', ...readings }),
      credentials: { ...defaultCredentials, ...credentials },
    },
    egress: createEgress({ allowTargets: [RECEIVER_HOST], ownPorts: () => [] }),
    tokenKey: secretBytes(),
    benchToken: secretText(),
    serviceUrl: () => origin,
    onAttempt() {},
    onError: (_, error) => errors.push(error),
  })
}

function latestAt(log: Log): number {
  let latest = 0
  for (const { at } of log.heads()) latest = Math.max(latest, at)
  return latest
}

function sandboxOver(
  assembled: Assembled,
  { origin, live, errors }: { origin: string; live: LiveData; errors: unknown[] },
): Sandbox {
  const { context, store, commit, service } = assembled

  async function settle(): Promise<void> {
    await assembled.idle()
    await live.synced()
    const [cause] = errors.splice(0)
    if (cause !== undefined) throw new Error('The sandbox failed', { cause })
  }

  async function carryOut(decision: Decision<ObjectRecord>): Promise<Item> {
    if (decision.kind !== 'reply')
      throw new Error(`Cannot carry out a decision that waits for "${decision.kind}"`)
    await commit(decision.writes)
    await settle()
    const item = store.object('items', decision.body.id)
    if (!item) throw new RangeError(`Cannot find items "${decision.body.id}"`)
    return item.body
  }

  return {
    origin,
    async fetch(request) {
      const response = await service(request)
      await live.synced()
      return response
    },
    data: live.data,
    create: (type, fields = {}) =>
      carryOut(createObject({ path: { type }, query: {}, body: { ...fields } }, context)),
    change: (type, id, fields) =>
      carryOut(changeObject({ path: { type, id }, query: {}, body: { ...fields } }, context)),
    async advance(by) {
      await assembled.advance(by instanceof Date ? by.getTime() : advanceTarget({ by }, context.now()))
      await settle()
    },
    settle,
    jobs: () => store.jobs(),
    attempts: (job) => store.attempts(job),
    now: () => new Date(context.now()),
    close: () => assembled.close(),
  }
}

/** Registers as a platform does: a token, then the registration, with its test POST. */
async function register(
  { origin, fetch }: Sandbox,
  body: { readonly url: string; readonly object_type: string },
  { client_id, client_secret }: Credentials,
): Promise<void> {
  const call = (path: string, sent: unknown, token = '') =>
    fetch(
      new Request(`${origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(sent),
      }),
    )
  const granted = await call('/tokens', { grant_type: 'client_credentials', client_id, client_secret })
  const { access_token } = await json<Partial<Token>>(granted)
  const registered = await call('/webhooks', body, access_token)
  if (registered.status === 201) return
  const { message } = await json<Partial<WebhookError>>(registered)
  throw new Error(`Cannot register the receiver of ${body.object_type}: ${message}`)
}

async function json<Body>(response: Response): Promise<Body> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the pipeline has checked its own reply
  return (await response.json()) as Body
}

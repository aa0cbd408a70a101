import type { PaymentKind } from '../spec/payments.ts'
import type { Item } from '../spec/generated/service-types.ts'
import { createInProcessTransport, type ReceiverFunction } from './adapters/in-process-transport.ts'
import { secretBytes, secretText } from './adapters/random.ts'
import { realTime } from './adapters/real-time.ts'
import { timeAndChance } from './adapters/time-and-chance.ts'
import { assemble, type Assembled } from './assemble.ts'
import { register, sandboxOver } from './in-process.ts'
import { createEgress } from './delivery/egress.ts'
import type { Payment } from './payments/payment.ts'
import type { PlayRequest } from './payments/play.ts'
import { validReadings, defaultCredentials, type Credentials } from './settings.ts'
import type { JobRecord } from './state/indexes.ts'
import { createData, type Data } from './state/data.ts'
import { createMemoryLog } from './state/memory-log.ts'
import { openSqliteLog } from './state/sqlite-log.ts'
import type { AttemptRecord } from './state/view.ts'

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

/** How a payment is to go; see `hookbench play --help`. */
export type PlayOptions = Omit<PlayRequest, 'kind'>

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
  /** Plays a payment; resolves when its notifications were attempted, or for a stepwise one those of its first step. */
  play(kind: PaymentKind, options?: PlayOptions): Promise<Payment>
  /** Takes the next step of a stepwise payment. */
  next(payment: Payment): Promise<Payment>
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
  try {
    for (const [type, receiver] of Object.entries(receivers)) {
      const url = `https://${RECEIVER_HOST}/notifications/${type}/${assembled.context.newId()}`
      receiverByUrl.set(url, receiver)
      await register(sandbox, { url, object_type: type }, assembled.context)
    }
    return sandbox
  } catch (error) {
    await sandbox.close()
    throw error
  }
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
  return assemble({
    ports: {
      ...timeAndChance({ speed, seed }, log),
      transport: createInProcessTransport(receiverByUrl, realTime),
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
    onAttempt() {},
    onError: (_, error) => errors.push(error),
  })
}

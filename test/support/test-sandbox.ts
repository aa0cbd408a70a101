import { createClock } from '../../sandbox/adapters/clock.ts'
import { createSeededRandom } from '../../sandbox/engine/core/random.ts'
import { assemble, type Assembled } from '../../sandbox/compose/assemble.ts'
import { type FetchHandler, toFetchHandler } from '../../sandbox/api/http/fetch-handler.ts'
import type { HttpMessage, RealTime, Transport } from '../../sandbox/engine/core/ports.ts'
import type { RequestHandler } from '../../sandbox/engine/core/http.ts'
import { createEgress, type Egress } from '../../sandbox/engine/delivery/egress.ts'
import { defaultSettings } from '../../sandbox/engine/core/settings.ts'
import type { AttemptHead } from '../../sandbox/engine/state/entries.ts'
import type { StorageError } from '../../sandbox/engine/state/storage-error.ts'
import type { Store } from '../../sandbox/engine/state/store.ts'
import { decodeBody, encodeBody } from './json-bodies.ts'
import { openMemoryStore } from './stores.ts'
import { type Script, type ScriptedTransport, scriptedTransport } from './scripted-transport.ts'
import type { Dependencies } from '../../sandbox/compose/wiring.ts'
import { reportSandboxError } from './sandbox-errors.ts'

export const START = Date.parse('2026-01-01T00:00:00.000Z')

export const RECEIVER = 'https://localhost:9443/notifications/items/3f9c1d2ab47e8051'

export interface TestSandbox extends Omit<Assembled, 'service' | 'bench'> {
  readonly service: FetchHandler
  readonly bench: FetchHandler
  readonly handle: RequestHandler
  readonly benchHandle: RequestHandler
  readonly transport: ScriptedTransport
  readonly realTime: ManualTime
  readonly attempts: readonly AttemptHead[]
  readonly errors: readonly unknown[]
  readonly problems: readonly (StorageError | undefined)[]
  /** Calls the service with a valid token. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** Calls the control API with the root token. */
  control(method: string, path: string, body?: unknown): Promise<Answer>
  /** Registers RECEIVER for items. Returns the uuid. */
  register(): Promise<string>
}

export interface Answer {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks at any field
  readonly body: any
}

export interface TestOptions {
  readonly script?: Script
  readonly readings?: Readonly<Record<string, string>>
  readonly store?: Store
  readonly startAt?: number
  readonly onUnsubscribed?: Dependencies['onUnsubscribed']
  readonly vocabulary?: Readonly<Record<string, string>>
  readonly source?: Dependencies['source']
  readonly sendThrough?: Transport
  readonly egress?: Egress
  readonly serviceUrl?: () => string
}

const TOKEN = 'bench-token'

/** A sandbox with a manual clock and a scripted receiver. */
export function testSandbox({
  script,
  readings = {},
  store = openMemoryStore(),
  startAt = START,
  onUnsubscribed,
  vocabulary,
  source,
  sendThrough,
  egress = createEgress({ allowTargets: [], ownPorts: () => [4010, 4011] }),
  serviceUrl = () => 'http://127.0.0.1:4010',
}: TestOptions = {}): TestSandbox {
  const transport = scriptedTransport(script)
  const realTime = manualTime()
  const attempts: AttemptHead[] = []
  const errors: unknown[] = []
  const problems: (StorageError | undefined)[] = []
  const assembled = assemble({
    ports: {
      clock: createClock(realTime, { startAt: Math.max(startAt, store.latestAt()), speed: 0 }),
      realTime,
      transport: sendThrough ?? transport,
      random: createSeededRandom(store.length + 1),
      origin: () => ({ at: START, speed: 0, chance: 1 }),
    },
    store,
    settings: { ...defaultSettings, readings, vocabulary },
    source,
    egress,
    tokenKey: new Uint8Array(32),
    benchToken: TOKEN,
    serviceUrl,
    onAttempt: (_, attempt) => attempts.push(attempt),
    onUnsubscribed,
    onError(_, error) {
      errors.push(error)
      reportSandboxError(error)
    },
    onStorage: (problem) => problems.push(problem),
  })

  assembled.start()
  const [service, bench] = [toFetchHandler(assembled.service), toFetchHandler(assembled.bench)]

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const credentials = {
      grant_type: 'client_credentials',
      client_id: 'sandbox',
      client_secret: 'sandbox-secret',
    }
    const token = await readAnswer(
      service(jsonRequest('POST', 'http://service.test/tokens', { body: credentials })),
    )
    return readAnswer(
      service(jsonRequest(method, `http://service.test${path}`, { body, token: token.body.access_token })),
    )
  }

  const control = (method: string, path: string, body?: unknown) =>
    readAnswer(bench(jsonRequest(method, `http://bench.test/control${path}`, { body, token: TOKEN })))

  async function register(): Promise<string> {
    const { status, body } = await call('POST', '/webhooks', { url: RECEIVER, object_type: 'items' })
    if (status !== 201) throw new Error(`Cannot register: ${JSON.stringify(body)}`)
    return body.uuid
  }

  return {
    ...assembled,
    service,
    bench,
    handle: assembled.service,
    benchHandle: assembled.bench,
    transport,
    realTime,
    attempts,
    errors,
    problems,
    call,
    control,
    register,
  }
}

function jsonRequest(
  method: string,
  url: string,
  { body, token }: { readonly body?: unknown; readonly token?: string | undefined } = {},
): Request {
  const { type, text } = encodeBody(url, body)
  return new Request(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': type }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: text }),
  })
}

async function readAnswer(response: Promise<Response>): Promise<Answer> {
  const answer = await response
  return { status: answer.status, body: await decodeBody(answer) }
}

/** Returns a sandbox with a webhook for items. The test POST succeeds. `script` returns the response to each attempt, counted from 0. */
export async function registeredSandbox(
  script: (attempt: number, message: HttpMessage) => ReturnType<Script> = () => 200,
  options: Omit<TestOptions, 'script'> = {},
): Promise<TestSandbox & { readonly registration: string }> {
  const sandbox = testSandbox({
    ...options,
    script: (message, index) => (index === 0 ? 200 : script(index - 1, message)),
  })
  return { ...sandbox, registration: await sandbox.register() }
}

/** Returns a registered sandbox with an item, after the first attempt of the item's job. */
export async function sandboxWithJob(
  ...given: Parameters<typeof registeredSandbox>
): Promise<TestSandbox & { readonly registration: string; readonly item: string; readonly job: string }> {
  const sandbox = await registeredSandbox(...given)
  const [item = ''] = await makeItems(sandbox, 1)
  await sandbox.idle()
  return { ...sandbox, item, job: sandbox.store.jobs()[0]?.id ?? '' }
}

export async function atRest(sandbox: TestSandbox): Promise<void> {
  await sandbox.control('GET', '/clock')
  await sandbox.idle()
}

export async function aWhile({ control }: TestSandbox): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await control('GET', '/clock')
}

/** Returns the bodies of sent notifications, without test POSTs. */
export function bodiesSent({ transport }: Pick<TestSandbox, 'transport'>): readonly string[] {
  return transport.messages
    .map(({ body }) => Buffer.from(body).toString())
    .filter((body) => !body.startsWith('{"message":'))
}

export function idsSent(sandbox: Pick<TestSandbox, 'transport'>): readonly string[] {
  return bodiesSent(sandbox).map((body) => /"id":"([^"]+)"/.exec(body)?.[1] ?? '')
}

export async function makeItems(sandbox: TestSandbox, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++)
    ids.push((await sandbox.control('POST', '/objects/items', {})).body.id)
  return ids
}

/** Makes an item and waits until its notifications are sent. Returns the object. */
export async function createItem({ control, idle }: TestSandbox, fields: object = {}) {
  const { body } = await control('POST', '/objects/items', fields)
  await idle()
  return body.object
}

/** A simulated real-time clock that the test moves. Deferred tasks run immediately, in order. */
interface ManualTime extends RealTime {
  move(byMs: number): void
  /** Returns the number of active timers. */
  waiting(): number
}

export function manualTime(start = Date.parse('2026-01-01T00:00:00.000Z')): ManualTime {
  const waiting = new Set<{ readonly at: number; readonly run: () => void }>()
  let time = start
  return {
    now: () => time,
    elapsed: () => time - start,
    after(delayMs, run) {
      const entry = { at: time + delayMs, run }
      waiting.add(entry)
      return () => waiting.delete(entry)
    },
    soon: (run) => queueMicrotask(run),
    waiting: () => waiting.size,
    move(byMs) {
      time += byMs
      for (const entry of [...waiting].toSorted((a, b) => a.at - b.at)) {
        if (entry.at <= time && waiting.delete(entry)) entry.run()
      }
    },
  }
}

import { join } from 'node:path'
import { isError } from '../../spec/errors.ts'
import { valueAt } from '../../spec/json-values.ts'
import { isNotifiedType, type NotifiedType } from '../../spec/notifications.ts'
import { commandLine, quoteForShell } from '../engine/core/command-line.ts'
import {
  startExampleReceiver,
  type ExampleReceiver,
  type ReceivedRequest,
  type ReceiverAnswer,
} from '../adapters/example-receiver.ts'
import { replaceFile } from '../adapters/files.ts'
import { createControlClient } from '../client/control-client.ts'
import { ListenError } from '../adapters/listen-error.ts'
import { createServiceClient, type ServiceRegistration } from '../client/service-client.ts'
import type { ServedSandbox } from '../compose/serve-sandbox.ts'
import { toPrintableJson } from '../engine/core/short-text.ts'
import { UsageError } from './failure.ts'
import { openDashboard } from './dashboard-address.ts'
import { closeSandbox, runSandbox, type RunningSandbox, type RunOutput } from './run-sandbox.ts'
import { untilStopped } from './stop-signals.ts'
import { style } from './terminal.ts'
import type { UpOptions } from './up-options.ts'

interface DemoOptions extends Pick<RunOutput, 'json' | 'judge'> {
  readonly receiverPort: number
  readonly open: boolean
}

/** The path of the example receiver's configuration. The file is in the data folder, because its port can change in each run. */
export const demoConfigPath = (data: string) => join(data, 'hookbench.config.json')

/** Starts a sandbox and an example receiver whose certificate is from the local CA, and plays a payment. Runs until Ctrl-C. */
export async function runDemo(options: UpOptions, { receiverPort, json, open, judge }: DemoOptions) {
  const stopped = untilStopped()
  // With --json, the demo prints its own events in addition to the events of `up --json`.
  const report = (event: object, text: string) => console.log(json ? toPrintableJson(event) : text)
  const others = [{ port: receiverPort, flag: '--receiver-port' }]
  const sandbox = await runSandbox(options, { json, others, ...(judge && { judge }) })
  if (open) void openDashboard(sandbox)
  let receiver: ExampleReceiver | undefined
  try {
    receiver = await startReceiver(sandbox, receiverPort)
    const { origin } = receiver
    writeConfig(options.data, origin)
    const greeting = `Example shop at ${style('cyan', origin)}: the shop answers the first two notifications of a deposited payment with 503, and ships at each success notification`
    report({ event: 'receiver', url: origin }, greeting)
    for (const { id: webhook, registration } of await register(sandbox, origin, options)) {
      const { object_type } = registration
      report(
        { event: 'registered', webhook, object_type },
        `Registered for ${object_type} as webhook ${webhook}`,
      )
    }
    if (!json) console.log('')
    const { id: payment, item } = await playPayment(sandbox)
    await sandbox.idle()
    report(
      { event: 'played', object_type: 'items', object_id: item, payment },
      formatNextSteps(item, options.data),
    )
    await Promise.race([stopped, sandbox.failed])
  } finally {
    await closeSandbox(sandbox)
    await receiver?.close()
  }
  report({ event: 'stopped' }, '\nStopped')
}

async function startReceiver(sandbox: ServedSandbox, port: number): Promise<ExampleReceiver> {
  const leaf = await sandbox.ca.issue(['localhost'])
  try {
    return await startExampleReceiver({ ...leaf, port, answer: createShop() })
  } catch (cause) {
    const { code, message }: NodeJS.ErrnoException = isError(cause) ? cause : new Error(String(cause))
    throw new ListenError(
      `Cannot start the example receiver on port ${port}: ${code === 'EADDRINUSE' ? 'the port is in use' : message}. Choose another port with --receiver-port (0 takes any free port)`,
      { cause },
    )
  }
}

function writeConfig(data: string, origin: string): void {
  const config = { data, service: { attach: true }, effects: { http: effectsUrl(origin) } }
  replaceFile(demoConfigPath(data), `${JSON.stringify(config, undefined, 2)}\n`)
}

const DESCRIPTION = 'example receiver'

/** Registers the demo receiver. If registrations of an earlier demo exist, changes their URL. */
async function register({ serviceUrl, ca }: ServedSandbox, origin: string, { data, settings }: UpOptions) {
  const { webhooks } = await createServiceClient(serviceUrl, settings.credentials, [ca.certificatePem])
  const enabled = (await webhooks.list()).filter(({ registration }) => registration.enabled)
  const enabledByType = new Map(enabled.map((each) => [each.registration.object_type, each]))
  for (const type of SHOP_TYPES) {
    const { id, registration } = enabledByType.get(type) ?? {}
    if (registration && registration.description !== DESCRIPTION) {
      throw new UsageError(
        `Cannot play the demo on data folder "${data}": webhook ${id} in this folder sends ${type} to ${registration.url}. Give the demo its own folder with --data`,
      )
    }
  }
  const registered: ServiceRegistration[] = []
  for (const type of SHOP_TYPES) {
    const [url, own] = [shopUrl(origin, type), enabledByType.get(type)]
    registered.push(
      own
        ? await webhooks.pointAt(own.id, { url })
        : await webhooks.create({ url, object_type: type, description: DESCRIPTION }),
    )
  }
  return registered
}

async function playPayment(sandbox: RunningSandbox): Promise<{ readonly id: string; readonly item: string }> {
  const { benchUrl, benchToken: token, ca } = sandbox
  const perform = createControlClient({ url: benchUrl, token, trustedCas: [ca.certificatePem] })
  const body = { name: 'Landscape photograph, framed', amount: 125_00 }
  const { id: item } = await perform('createObject', { path: { type: 'items' }, body })
  const { id } = await perform('playPayment', { body: { kind: 'card-payin', item } })
  return { id, item }
}

function formatNextSteps(item: string, data: string): string {
  const config = quoteForShell(demoConfigPath(data))
  return [
    '',
    'Next, in another terminal:',
    `  ${commandLine(`change items ${item} state=refunded`, data)}`,
    `  ${commandLine('timeline', data)}    list the notifications and their retries`,
    `  npx hookbench rehearse card-payin --config ${config} --attach --order 1,2,2    send a notification twice, and the shop ships twice`,
    '  npx hookbench --help',
    '',
  ].join('\n')
}

/** Source: §6.2 */
const SHOP_TYPES = ['items', 'transactions', 'batch_transactions'] as const

/** The last segment of the receiver URL, which makes the URL hard to guess. Source: §5 */
const SECRET_PATH = '8f2c4e6a91b3d570c2e4f6a8091b3d57'

const notificationPath = (type: string) => `/notifications/${type}/${SECRET_PATH}`

const shopUrl = (origin: string, type: NotifiedType) => `${origin}${notificationPath(type)}`
const effectsUrl = (origin: string) => `${origin}/effects/{object_type}/{id}`

/** The number of notifications that the shop rejects before it accepts the state `payment_deposited`. */
const FAILURES = 2

/** Creates a shop with the most common bug: a duplicate notification causes a second shipment. */
function createShop(): (request: ReceivedRequest) => ReceiverAnswer {
  const known = new Map<string, { readonly effects: number; readonly state: string }>()
  let failuresLeft = FAILURES

  function receive(type: string, body: string): ReceiverAnswer {
    const { id, state, type: what } = readObject(type, body)
    // Accepts messages without an id, such as the test message of a registration. Source: §2.1
    if (id === undefined) return { status: 204 }
    if (state === 'payment_deposited' && failuresLeft-- > 0) return { status: 503 }
    const name = `${type}/${id}`
    const { effects } = known.get(name) ?? { effects: 0 }
    const ships = type === 'transactions' && what === 'payment' && state === 'successful'
    known.set(name, { effects: ships ? effects + 1 : effects, state })
    return { status: 204 }
  }

  return ({ method, path, body }) => {
    const type = SHOP_TYPES.find((each) => path === notificationPath(each))
    if (method === 'POST' && type) return receive(type, body)
    const [, , object, id] = path.match(/^\/(effects)\/([^/]+)\/([^/]+)$/) ?? []
    if (method !== 'GET' || object === undefined || !isNotifiedType(object)) return { status: 404 }
    return { status: 200, json: known.get(`${object}/${id}`) ?? { effects: 0, state: null } }
  }
}

function readObject(type: string, body: string) {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    parsed = undefined
  }
  const read = (name: string) => {
    const value = valueAt(parsed, `/${type}/${name}`)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  }
  return { id: read('id'), state: read('state') ?? '', type: read('type') ?? '' }
}

import { commandLine } from '../adapters/command-line.ts'
import { startExampleReceiver, type ExampleReceiver } from '../adapters/example-receiver.ts'
import { createControlClient } from '../client/control-client.ts'
import { ListenError } from '../adapters/listen-error.ts'
import { createServiceClient, type ServiceRegistration } from '../client/service-client.ts'
import type { ServedSandbox } from '../compose/serve-sandbox.ts'
import { toPrintableJson } from '../engine/core/printable.ts'
import { UsageError } from './failure.ts'
import type { Judge } from '../api/control/judge.ts'
import { openDashboard } from './dashboard-address.ts'
import { closeSandbox, runSandbox, type RunningSandbox } from './run-sandbox.ts'
import { untilStopped } from './stop-signals.ts'
import { style } from './terminal.ts'
import type { UpOptions } from './up-options.ts'

/** A hard-to-guess segment, as every receiver's URL should have one. Source: §5 */
const PATH = '/notifications/items/8f2c4e6a91b3d570c2e4f6a8091b3d57'

/** How often the example receiver fails before it accepts a body with this in it. */
const FAILURES: readonly (readonly [part: string, times: number])[] = [['"state":"payment_deposited"', 2]]

const STATES = ['payment_pending', 'payment_deposited', 'completed'] as const

interface DemoOptions {
  readonly receiverPort: number
  /** One JSON object a line instead of text. */
  readonly json: boolean
  /** Loads what judges the receiver that is registered. */
  readonly judge?: () => Promise<Judge>
  /** Whether the browser shows the dashboard. */
  readonly open: boolean
}

/** The sandbox, a receiver with a certificate of the local CA, and notifications flowing, until Ctrl-C. */
export async function runDemo(
  options: UpOptions,
  { receiverPort, json, open, judge }: DemoOptions,
): Promise<void> {
  const stopped = untilStopped()
  const report = (event: object, text: string) => console.log(json ? toPrintableJson(event) : text)
  const others = [{ port: receiverPort, flag: '--receiver-port' }]
  const sandbox = await runSandbox(options, { json, others, ...(judge && { judge }) })
  if (open) void openDashboard(sandbox)
  let receiver: ExampleReceiver | undefined
  try {
    receiver = await startReceiver(sandbox, receiverPort)
    const { url } = receiver
    const greeting = `Example receiver at ${style('cyan', url)}: it answers 503 twice to a deposited payment`
    report({ event: 'receiver', url }, greeting)
    const { id: webhook, registration } = await register(sandbox, url, options)
    const { object_type } = registration
    report(
      { event: 'registered', webhook, object_type },
      `Registered for ${object_type} as webhook ${webhook}\n`,
    )
    const id = await playItem(sandbox)
    await sandbox.idle()
    report({ event: 'played', object_type, object_id: id }, formatNextSteps(id, options.data))
    await Promise.race([stopped, sandbox.failed])
  } finally {
    await closeSandbox(sandbox)
    await receiver?.close()
  }
  report({ event: 'stopped' }, '\nStopped')
}

async function startReceiver(sandbox: ServedSandbox, port: number): Promise<ExampleReceiver> {
  const leaf = await sandbox.ca.issue(['localhost'])
  const failuresLeft = new Map(FAILURES)
  const statusFor = (body: string) => {
    for (const [part, times] of failuresLeft) {
      if (times === 0 || !body.includes(part)) continue
      failuresLeft.set(part, times - 1)
      return 503
    }
    return 204
  }
  try {
    return await startExampleReceiver({ ...leaf, port, path: PATH, statusFor })
  } catch (cause) {
    const { code, message }: NodeJS.ErrnoException = cause instanceof Error ? cause : new Error(String(cause))
    throw new ListenError(
      `Cannot start the example receiver on port ${port}: ${code === 'EADDRINUSE' ? 'it is in use' : message}; choose another with --receiver-port (0 takes any free one)`,
      { cause },
    )
  }
}

/** What the demo's own registration is known by. */
const DESCRIPTION = 'example receiver'

/** An earlier demo's registration is pointed at this run's receiver; any other is left alone. */
async function register(
  { serviceUrl, ca }: ServedSandbox,
  url: string,
  { data, settings }: UpOptions,
): Promise<ServiceRegistration> {
  const { webhooks } = await createServiceClient(serviceUrl, settings.credentials, ca.certificatePem)
  const enabled = (await webhooks.list()).find(
    ({ registration }) => registration.enabled && registration.object_type === 'items',
  )
  if (enabled && enabled.registration.description !== DESCRIPTION) {
    throw new UsageError(
      `Cannot play the demo on data folder "${data}": webhook ${enabled.id} there points items at ${enabled.registration.url}; give the demo a folder of its own with --data`,
    )
  }
  return enabled
    ? webhooks.pointAt(enabled.id, { url })
    : webhooks.create({ url, object_type: 'items', description: DESCRIPTION })
}

/** One item through its payment; gives its id. */
async function playItem({ benchUrl, benchToken: token }: RunningSandbox): Promise<string> {
  const perform = createControlClient({ url: benchUrl, token })
  const type = 'items'
  const body = { name: 'Landscape photograph, framed', amount: 125_00 }
  const { id } = await perform('createObject', { path: { type }, body })
  for (const state of STATES) await perform('changeObject', { path: { type, id }, body: { state } })
  return id
}

function formatNextSteps(id: string, data: string): string {
  return [
    '',
    'Next, in another terminal:',
    `  ${commandLine(`change items ${id} state=refunded`, data)}`,
    `  ${commandLine('jobs', data)}`,
    `  ${commandLine('advance 25m', data)}    the retries of the next 25 minutes, at once`,
    '  npx hookbench --help',
    '',
  ].join('\n')
}

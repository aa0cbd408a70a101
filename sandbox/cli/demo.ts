import { startExampleReceiver, type ExampleReceiver } from '../adapters/example-receiver.ts'
import { createBenchClient, createServiceClient } from '../adapters/bench-client.ts'
import { ListenError } from '../adapters/node-server.ts'
import type { ServedSandbox } from '../serve-sandbox.ts'
import { runSandbox, untilStopped, type RunningSandbox } from './run-sandbox.ts'
import { styled } from './terminal.ts'
import type { UpOptions } from './up-options.ts'

/** A hard-to-guess segment, as every receiver's URL should have one. Source: §5 */
const PATH = '/notifications/items/8f2c4e6a91b3d570c2e4f6a8091b3d57'

/** How often the example receiver fails before it accepts a body with this in it. */
const FAILURES: readonly (readonly [part: string, times: number])[] = [['"state":"payment_deposited"', 2]]

const STATES = ['payment_pending', 'payment_deposited', 'completed'] as const

/** The sandbox, a receiver with a certificate of the local CA, and notifications flowing, until Ctrl-C. */
export async function runDemo(options: UpOptions, receiverPort: number): Promise<void> {
  const stopped = untilStopped()
  const sandbox = await runSandbox(options, { json: false })
  let receiver: ExampleReceiver | undefined
  try {
    receiver = await startReceiver(sandbox, receiverPort)
    console.log(
      `Example receiver at ${styled('cyan', receiver.url)}: it answers 503 twice to a deposited payment`,
    )
    await register(sandbox, receiver.url, options)
    const id = await play(sandbox)
    await sandbox.idle()
    console.log(next(id))
    await stopped
  } finally {
    await sandbox.close()
    await receiver?.close()
  }
  console.log('\nStopped')
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
    throw new ListenError(
      `Cannot start the example receiver on port ${port}: it is in use; choose another with --receiver-port (0 takes any free one)`,
      { cause },
    )
  }
}

/** An earlier run's registration is pointed at this run's receiver. */
async function register({ serviceUrl }: ServedSandbox, url: string, { settings }: UpOptions): Promise<void> {
  const service = await createServiceClient(serviceUrl, settings.credentials)
  const webhooks = await service.webhooks()
  const present = webhooks.find((webhook) => webhook.enabled && webhook.object_type === 'items')
  const webhook = present
    ? await service.updateWebhook(present.uuid, { url })
    : await service.createWebhook({ url, object_type: 'items', description: 'example receiver' })
  console.log(`Registered for ${webhook.object_type} as webhook ${webhook.uuid}\n`)
}

/** One item through its payment; gives its id. */
async function play({ benchUrl, benchToken: token }: RunningSandbox): Promise<string> {
  const bench = createBenchClient({ url: benchUrl, token })
  const { id } = await bench.create('items', { name: 'Landscape photograph, framed', amount: 125_00 })
  for (const state of STATES) await bench.change('items', id, { state })
  return id
}

function next(id: string): string {
  return [
    '',
    'Next, in another terminal:',
    `  npx hookbench change items ${id} state=refunded`,
    '  npx hookbench jobs',
    '  npx hookbench advance 25m        the retries of the next 25 minutes, at once',
    '  npx hookbench --help',
    '',
  ].join('\n')
}

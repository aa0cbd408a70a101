import type { Message } from '../../sandbox/engine/core/ports.ts'
import { listen } from '../../sandbox/adapters/node-server.ts'
import { RECEIVER, testSandbox } from './test-sandbox.ts'

/** A sandbox in this process that commands can find, with whatever they name. */
interface CommandWorld {
  /** Where they find it. */
  readonly env: Readonly<Record<'HOOKBENCH_URL' | 'HOOKBENCH_TOKEN', string>>
  /** The same words, with what is there in place of `ITEM`, `JOB` and the like. */
  fill(words: readonly string[]): Promise<readonly string[]>
  close(): Promise<void>
}

/** What examples look back to. */
const LATER = '2026-01-01T07:05:00.000Z'
const CRAFTED = { url: RECEIVER, body: {} }

export async function openCommandWorld(): Promise<CommandWorld> {
  // A receiver that answers its test POSTs alone, so that there is something to resend.
  const script = ({ body }: Message) => (Buffer.from(body).includes('"message"') ? 200 : 503)
  const sandbox = testSandbox({ serviceUrl: () => service.url, script })
  const { perform } = sandbox
  const service = await listen(sandbox.handle, { port: 0, flag: '--port' })
  const bench = await listen(sandbox.benchHandle, { port: 0, flag: '--bench-port' })
  await perform('advanceClock', { body: { to: LATER } })
  const create = async (type: string) => (await perform('createObject', { path: { type }, body: {} })).id

  async function job(): Promise<string> {
    await sandbox.register()
    await create('items')
    await sandbox.idle()
    return (await perform('listJobs')).jobs.at(-1)?.id ?? ''
  }

  const makers: ReadonlyMap<string, () => Promise<string>> = new Map([
    ['ITEM', () => create('items')],
    ['USER', () => create('users')],
    ['JOB', job],
    ['REGISTRATION', sandbox.register],
    [
      'PAYMENT',
      async () => (await perform('playPayment', { body: { kind: 'card-payin', pace: 'stepwise' } })).id,
    ],
    ['FAULT', async () => (await perform('addFault', { body: { on: 'delivery', kind: 'drop' } })).id],
    ['DELIVERY', async () => (await perform('craftDelivery', { body: CRAFTED })).id],
  ])

  return {
    env: { HOOKBENCH_URL: bench.url, HOOKBENCH_TOKEN: 'bench-token' },
    fill: (words) => Promise.all(words.map(async (word) => (await makers.get(word)?.()) ?? word)),
    async close() {
      await Promise.all([service.close(0), bench.close(0)])
      await sandbox.close()
    },
  }
}

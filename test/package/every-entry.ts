/**
 * TypeScript 5.4 code that uses each entry point of the package. Some lines must not compile. They would compile if types were
 * unresolved, and therefore `any`.
 */
export const EVERY_ENTRY = `
import { createSandbox, toReceiver, type Sandbox } from 'hookbench'
import { notificationsOf } from 'hookbench/arbitraries'
import type { Config } from 'hookbench/config'
import { rehearse, runChecks, type RunResult } from 'hookbench/contracts'
import { examples } from 'hookbench/examples'
import { mswHandlers } from 'hookbench/msw'
import { describeReceiver } from 'hookbench/node-test'
import type { Notification, TolerantNotification } from 'hookbench/types'
import { parseNotification, validators } from 'hookbench/validate'
import { describeReceiver as describeInVitest, ReceiverError } from 'hookbench/vitest'
import { sample } from 'fast-check'

const drawn = sample(notificationsOf('users'), 5)
export const email: string | null = drawn[0]!.users.email
export const bodies: Notification[] = examples.map(({ body }) => body)
bodies.push(...drawn)
export const readable: TolerantNotification[] = bodies
export const areRead: boolean = readable.every((body) => parseNotification(body).ok) && validators.Item({})
export const check: (url: string) => Promise<RunResult> = (url) => runChecks({ receiver: { url } })
export const config: Config = { receiver: { url: 'https://localhost/{object_type}' }, failOn: 'should' }
export const results = async (): Promise<string[]> => (await check('')).results.map((result) => result.check.id)
export const failure: Error = new ReceiverError('')
export const again = rehearse

// @ts-expect-error -- there is no such severity
export const severe: Config = { receiver: { url: '' }, failOn: 'could' }
// @ts-expect-error -- there is no such type
void notificationsOf('nothing')

export async function play(): Promise<number | undefined> {
  const receiver = toReceiver((_, response) => response.end())
  const sandbox: Sandbox = await createSandbox({ seed: 1, receivers: { items: receiver } })
  const handlers: readonly object[] = mswHandlers(sandbox)
  void handlers
  const item = await sandbox.create('items', { amount: 1200 })
  await sandbox.change('items', item.id, { state: 'completed' })
  const found = sandbox.data.items.findFirst((query) => query.where({ amount: 1200 }))
  sandbox.data.items.hooks.on('create', (event) => void event.data.record.state)
  // @ts-expect-error -- there is no such field
  void found?.nothing
  const amount: number | undefined = found?.amount
  await sandbox.close()
  describeReceiver(config)
  describeInVitest(config)
  return amount
}
`

export const OWN_ENTRIES = EVERY_ENTRY.split('\n')
  .filter(
    (line) =>
      !/msw|handlers|InVitest|ReceiverError|fast-check|arbitraries|notificationsOf|drawn|no such type/.test(
        line,
      ),
  )
  .join('\n')

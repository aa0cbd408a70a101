import { beforeAll, expect, test } from 'vitest'
import { DELIVERY } from '../../spec/generated/delivery.ts'
import type { Webhook } from '../../spec/generated/service-types.ts'
import type { Receiver } from '../support/program.ts'
import { useWorkshop } from '../support/workshop.ts'

// All tests share one sandbox and one receiver, so their order matters.
const shop = useWorkshop()
const { webhooks, callbacks } = DELIVERY.object_types
let receiver: Receiver
let pattern: string

beforeAll(async () => {
  await shop.up('--clock', 'manual')
  receiver = await shop.receiver()
  pattern = `${receiver.url}/{object_type}`
})

async function registered() {
  const { registrations } = await shop.json<{ registrations: readonly Record<string, unknown>[] }>(
    'registrations',
  )
  return registrations
}

test('the command "register" with {object_type} in the URL and with --type registers only the named types', async () => {
  const { code, stdout } = await shop.run('register', pattern, '--type', 'items', '--type', 'users')

  expect([code, stdout.trim().split('\n').length]).toEqual([0, 2])
  expect((await registered()).map(({ object_type, url }) => [object_type, url])).toEqual([
    ['items', `${receiver.url}/items`],
    ['users', `${receiver.url}/users`],
  ])
})

test('the command "register" reports that nothing changed when the URL is already registered', async () => {
  const before = await registered()
  const tests = receiver.received.length

  const plain = await shop.run('register', `${receiver.url}/items`, '--type', 'items')
  const replaced = await shop.run('register', `${receiver.url}/items`, '--type', 'items', '--replace')
  const { uuid } = await shop.json<Webhook>('register', `${receiver.url}/items`, '--type', 'items')

  const line = `Unchanged: ${receiver.url}/items is already registered for items, as webhook ${uuid}\n`
  expect([plain, replaced]).toEqual(Array.from({ length: 2 }, () => ({ code: 0, stdout: line, stderr: '' })))
  expect(await registered()).toEqual(before)
  expect(receiver.received.length).toBe(tests)
})

test('the command "register" with {object_type} but without --type registers every object type of the generation', async () => {
  const { code, stdout } = await shop.run('register', pattern)
  const listed = await shop.json<{ registrations: readonly { object_type: string }[] }>(
    'register',
    pattern,
    '--generation',
    'callbacks',
  )

  expect(code).toBe(0)
  expect(stdout.match(/^Unchanged/gm)?.length).toBe(2)
  expect(stdout.match(/^Registered/gm)?.length).toBe(webhooks.value.length - 2)
  expect(listed.registrations.map(({ object_type }) => object_type)).toEqual([...callbacks.value])
  expect(await registered()).toHaveLength(webhooks.value.length + callbacks.value.length)
})

test('the command "register" stops at a rejected object type and keeps the earlier registrations', async () => {
  await shop.run('unregister', await webhookId('items'))

  const other = `${receiver.url}/other/{object_type}`
  const { code, stdout, stderr } = await shop.run('register', other)

  expect(code).toBe(1)
  expect(stdout).toContain('Registered')
  expect(stderr).toMatch(/users: .*Already exists.*--replace/)
})

async function webhookId(type: string): Promise<string> {
  const found = (await registered()).find(
    ({ generation, object_type }) => generation === 'webhooks' && object_type === type,
  )
  return String(found?.['id'])
}

test('a command accepts a unique short ID of a registration', async () => {
  const id = await webhookId('users')

  const disabled = await shop.run('disable', `${id.slice(0, 8)}…`)
  const enabled = await shop.run('enable', id.slice(0, 8))
  const unknown = await shop.run('disable', 'nope-nope')

  expect([disabled.stdout, enabled.stdout]).toEqual([
    expect.stringContaining(`Disabled webhook ${id} for users`),
    expect.stringContaining(`Enabled webhook ${id} for users`),
  ])
  expect(unknown.stderr).toContain('Cannot find registration "nope-nope"')
})

test.each([
  [['https://localhost:1/{type}'], '{type}'],
  [['https://localhost:1/hooks'], '--type'],
  [['https://localhost:1/{object_type}', '--type', 'item'], 'Did you mean "items"?'],
])('the command "register" exits with 2 and names the fix for %j', async (args, remedy) => {
  const { code, stderr } = await shop.run('register', ...args)

  expect([code, stderr]).toEqual([2, expect.stringContaining(remedy)])
})

import { expect, test } from 'vitest'
import type { Reading } from '../../../../spec/generated/control-types.ts'
import { readings } from '../../../../spec/readings.ts'
import { testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'
import { createMemoryDatabase } from '../../../support/stores.ts'

async function shown({ control }: TestSandbox, id: string): Promise<Reading | undefined> {
  const { body } = await control('GET', '/readings')
  const list: readonly Reading[] = body.readings
  return list.find((reading) => reading.id === id)
}

test('every reading is shown, with what is chosen for it', async () => {
  const sandbox = testSandbox({ readings: { 'delivery-deadline': '5s' } })

  const { status, body } = await sandbox.control('GET', '/readings')

  expect([status, body.readings.length]).toEqual([200, readings.length])
  expect(await shown(sandbox, 'retry-window')).toEqual({
    id: 'retry-window',
    kind: 'choice',
    source: ['§8'],
    about: expect.any(String),
    options: { '24h': expect.any(String), 'five-attempts': expect.any(String) },
    default: '24h',
    value: '24h',
    why: expect.any(String),
  })
  expect(await shown(sandbox, 'delivery-deadline')).toMatchObject({ options: null, value: '5s' })
  expect(await shown(sandbox, 'retry-origin')).toMatchObject({ kind: 'shape', value: null })
})

test('a chosen reading is shown from now on, and the others stay', async () => {
  const sandbox = testSandbox({ readings: { 'retry-body': 'current' } })

  const { status, body } = await sandbox.control('PATCH', '/readings', { 'retry-window': 'five-attempts' })

  expect([status, body]).toEqual([200, (await sandbox.control('GET', '/readings')).body])
  expect(await shown(sandbox, 'retry-window')).toMatchObject({ value: 'five-attempts' })
  expect(await shown(sandbox, 'retry-body')).toMatchObject({ value: 'current' })
})

test.each([
  [{ nope: 'x' }, 'nope', 'those that can be chosen are'],
  [{ 'retry-window': '48h' }, 'retry-window', 'its options are 24h, five-attempts'],
  [{ 'job-recording-lag': 'soon' }, 'job-recording-lag', 'it takes a duration such as'],
  [{ 'retry-origin': 'elapsed' }, 'retry-origin', 'those that can be chosen are'],
  [{ 'test-text': 'Hello', 'retry-window': '48h' }, 'retry-window', 'its options are'],
  [{ 'retry-window': 24 }, 'retry-window', 'takes text, not'],
])('%j is refused whole, with the remedy', async (chosen, field, remedy) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('PATCH', '/readings', chosen)

  expect([status, body.error.field]).toEqual([422, field])
  expect(body.error.message).toContain(remedy)
  expect([sandbox.store.length, sandbox.context.chosenReadings()]).toEqual([0, {}])
})

test('a change holds for what is decided from then on, everywhere', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  const deadlines: number[] = []
  const { post } = sandbox.transport
  Object.assign(sandbox.transport, {
    post(...[message, deadlineMs]: Parameters<typeof post>) {
      deadlines.push(deadlineMs)
      return post(message, deadlineMs)
    },
  })
  await sandbox.control('PATCH', '/readings', {
    'access-token-lifetime': '60s',
    'delivery-deadline': '1s',
    'retry-window': 'five-attempts',
    'test-text': 'Hello',
  })

  await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  const { body } = await sandbox.control('POST', '/clock/advance', { by: '2d' })
  const granted = await sandbox.call('POST', '/tokens', {
    grant_type: 'client_credentials',
    client_id: 'sandbox',
    client_secret: 'sandbox-secret',
    scope: 'anything',
  })

  const [tested] = sandbox.transport.messages
  expect(Buffer.from(tested?.body ?? []).toString()).toBe('{"message":"Hello"}')
  expect([body.attempts, new Set(deadlines), granted.body.expires_in]).toEqual([5, new Set([1_000]), 60])
})

test('a change outlives a restart, and what the start is told wins over it', async () => {
  const database = createMemoryDatabase()
  const chosen = { 'retry-window': 'five-attempts', 'retry-body': 'current' }
  await testSandbox({ store: database.open() }).control('PATCH', '/readings', chosen)

  const plain = testSandbox({ store: database.open() })
  const told = testSandbox({ store: database.open(), readings: { 'retry-body': 'snapshot' } })

  expect(plain.context.readings()).toMatchObject(chosen)
  expect(told.context.readings()).toMatchObject({ ...chosen, 'retry-body': 'snapshot' })
})

test('a later change wins over what the start was told', async () => {
  const sandbox = testSandbox({ readings: { 'retry-body': 'current' } })

  await sandbox.control('PATCH', '/readings', { 'retry-body': 'snapshot' })

  expect(sandbox.context.readings()['retry-body']).toBe('snapshot')
})

test('the values that a decision has begun with do not change under it', async () => {
  const sandbox = testSandbox({ readings: { 'retry-body': 'current' } })
  const begunWith = sandbox.context.readings()

  await sandbox.control('PATCH', '/readings', { 'retry-body': 'snapshot' })

  expect([begunWith['retry-body'], sandbox.context.readings()['retry-body']]).toEqual(['current', 'snapshot'])
})

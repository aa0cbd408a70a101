import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Fault } from '../../../../spec/generated/control-types.ts'
import {
  makeItems,
  RECEIVER,
  registeredSandbox,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'
import { addFault } from '../../../support/faults.ts'
import { openFileStore } from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const appliedTo = ({ attempts }: TestSandbox) => attempts.map(({ faults = [] }) => faults.length)
const faultsOf = async ({ control }: TestSandbox) => (await control('GET', '/faults')).body.faults

const DROP = { on: 'delivery', kind: 'drop' }

test('a fault shows its fields and its defaults', async () => {
  const sandbox = testSandbox()

  const fault = await addFault(sandbox, { ...DROP, match: { attempt: 1 } })

  expect(fault).toEqual({
    id: fault.id,
    on: 'delivery',
    kind: 'drop',
    match: { attempt: 1 },
    times: null,
    skip: 0,
    probability: 1,
    seed: 0,
    settings: {},
    matched: 0,
    applied: 0,
    created_at: '2026-01-01T00:00:00.000Z',
  })
  expect(await faultsOf(sandbox)).toEqual([fault])
})

test.each([
  [{}, [1, 1, 1, 1]],
  [{ times: 2 }, [1, 1, 0, 0]],
  [{ skip: 1 }, [0, 1, 1, 1]],
  [{ skip: 1, times: 2 }, [0, 1, 1, 0]],
])('a fault with %j applies to the attempts %j', async (settings, expected) => {
  const sandbox = await registeredSandbox()
  await addFault(sandbox, { ...DROP, ...settings })
  await makeItems(sandbox, 4)
  await sandbox.idle()

  expect(appliedTo(sandbox)).toEqual(expected)
})

test('a fault with a probability applies to the same matches for the same seed', async () => {
  const runs = await Promise.all(
    [7, 7, 8].map(async (seed) => {
      const sandbox = await registeredSandbox()
      await addFault(sandbox, { ...DROP, probability: 0.5, seed })
      await makeItems(sandbox, 60)
      await sandbox.idle()
      const [{ matched, applied }] = await faultsOf(sandbox)
      expect([matched, applied]).toEqual([60, appliedTo(sandbox).filter(Boolean).length])
      return appliedTo(sandbox)
    }),
  )

  expect(runs[0]).toEqual(runs[1])
  expect(runs[0]).not.toEqual(runs[2])
  expect(new Set(runs.flat())).toEqual(new Set([0, 1]))
})

test('a fault with a probability gets a random seed when no seed is specified', async () => {
  expect((await addFault(testSandbox(), { ...DROP, probability: 0.1 })).seed).toBeGreaterThan(0)
})

test('a fault can match a delivery by each match key', async () => {
  const sandbox = await registeredSandbox((index) => (index === 0 ? 200 : 500))
  await sandbox.call('POST', '/callbacks', { url: RECEIVER, object_type: 'items' })
  const [one = '', two = ''] = await makeItems(sandbox, 2)
  await sandbox.idle()
  const [webhook, callback] = sandbox.store.jobs()
  const matches = [
    { object_type: 'items' },
    { object_type: 'users' },
    { object_id: one },
    { object_id: two },
    { generation: 'webhooks' },
    { generation: 'callbacks' },
    { registration_id: webhook?.registration_id },
    { registration_id: callback?.registration_id },
    { job_id: webhook?.id },
    { job_id: 'another' },
    { state: 'pending' },
    { state: 'completed' },
    { attempt: 2 },
    { attempt: 3 },
    { attempt: 2, generation: 'webhooks', object_id: one, state: 'pending' },
    { attempt: 2, object_id: 'unknown' },
  ]
  for (const match of matches) await addFault(sandbox, { ...DROP, match })

  // Runs the second attempts of both webhooks. Callbacks are not retried.
  await sandbox.control('POST', '/clock/advance', { by: '5m' })

  const counted = (await faultsOf(sandbox)).map(({ matched }: Fault) => matched)
  expect(counted).toEqual([2, 0, 1, 1, 2, 0, 2, 0, 1, 0, 2, 0, 2, 0, 1, 0])
})

test('a fault matches a delivery and a call by any id of the object', async () => {
  const sandbox = testSandbox()
  await sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: 'accounts' })
  const { body } = await sandbox.control('POST', '/objects/accounts', { account_type_id: 9700 })
  const { uuid, id } = body.object
  for (const object_id of [uuid, String(id)])
    for (const on of ['delivery', 'api'])
      await addFault(sandbox, {
        on,
        kind: 'delay',
        delay_ms: 0,
        match: { object_id },
        probability: 1e-9,
        seed: 1,
      })

  await sandbox.control('PATCH', `/objects/accounts/${uuid}`, { enabled: false })
  await sandbox.call('GET', `/accounts/${uuid}`)
  await sandbox.call('GET', `/accounts/${id}`)

  expect((await faultsOf(sandbox)).map(({ matched }: Fault) => matched)).toEqual([1, 2, 1, 2])
})

test('a fault can match a call by each match key', async () => {
  const sandbox = testSandbox()
  const [id = ''] = await makeItems(sandbox, 1)
  const matches = [
    {},
    { operation: 'showItem' },
    { operation: 'createItem' },
    { method: 'GET' },
    { method: 'POST' },
    { path: `/items/${id}` },
    { path: '/items' },
    { path: '/items/unknown' },
    { object_type: 'items' },
    { object_type: 'users' },
    { object_id: id },
    { object_id: 'unknown' },
  ]
  for (const match of matches)
    await addFault(sandbox, { on: 'api', kind: 'rate-limit', match, probability: 1e-9, seed: 1 })

  // Each call needs a token, so a token request precedes each call.
  await sandbox.call('GET', `/items/${id}`)
  await sandbox.call('GET', '/items/unknown/')

  expect((await faultsOf(sandbox)).map(({ matched }: Fault) => matched)).toEqual([
    4, 2, 0, 2, 2, 1, 0, 1, 2, 0, 1, 1,
  ])
})

test('a removed fault applies to no later attempt', async () => {
  const sandbox = await registeredSandbox()
  const { id } = await addFault(sandbox, DROP)
  await makeItems(sandbox, 1)

  const removed = await sandbox.control('DELETE', `/faults/${id}`)
  const again = await sandbox.control('DELETE', `/faults/${id}`)
  await makeItems(sandbox, 1)
  await sandbox.idle()

  expect([removed.status, removed.body.applied, again.status]).toEqual([200, 1, 404])
  expect([appliedTo(sandbox), await faultsOf(sandbox)]).toEqual([[1, 0], []])
})

test('faults and their counts survive a restart', async () => {
  const path = join(temporaryFolder(), 'store.sqlite')
  const sandbox = await registeredSandbox(undefined, { store: openFileStore(path) })
  await addFault(sandbox, { ...DROP, times: 2, probability: 0.9, seed: 3 })
  await addFault(sandbox, { on: 'api', kind: 'modified-show', body: { a: [null] }, match: { path: '/x' } })
  await makeItems(sandbox, 1)
  await sandbox.idle()
  const before = await faultsOf(sandbox)
  await sandbox.close()

  const reopened = testSandbox({ store: openFileStore(path) })
  const after = await faultsOf(reopened)
  await reopened.close()

  expect([after, after[0].matched]).toEqual([before, 1])
})

const api = (kind: string, more: object = {}) => ({ on: 'api', kind, ...more })
const delivery = (kind: string, more: object = {}) => ({ on: 'delivery', kind, ...more })

test.each([
  [delivery('hang'), 'kind', '"hang" on delivery: the kinds on delivery are duplicate, concurrent-duplicate'],
  [api('drop'), 'kind', '"drop" on api: the kinds on api are status, delay, hang, reset, stale-show'],
  [delivery('duplicate', { delay_ms: 1 }), 'delay_ms', 'this kind takes only copies. Omit'],
  [delivery('delay'), 'delay_ms', '"delay" without "delay_ms"'],
  [delivery('drop', { copies: 2 }), 'copies', 'this kind takes no settings. Omit'],
  [delivery('modified-body'), 'set', '"modified-body" without "set" or "body"'],
  [delivery('modified-body', { set: { 'items/amount': 1 } }), 'set', 'write a JSON pointer such as'],
  [api('status'), 'status', '"status" without "status"'],
  [api('status', { status: 500, set: {} }), 'set', 'this kind takes only status, body. Omit'],
  [delivery('drop', { match: { object_type: 'items', state: 'sold' } }), 'match/state', 'of state "sold"'],
  [api('delay', { delay_ms: 5, match: { path: 'items' } }), 'match/path', 'a path begins with a slash'],
  [delivery('drop', { match: { object_type: 'gadgets' } }), 'match/object_type', 'the types are'],
  [
    api('hang', { match: { attempt: 1 } }),
    'match/attempt',
    'a fault on api can match object_type, object_id, operation',
  ],
  [api('hang', { match: { operation: 'showItems' } }), 'match/operation', 'Did you mean "showItem"?'],
])('the fault %j is rejected', async (fault, field, message) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.control('POST', '/faults', fault)

  expect([status, body.error.field]).toEqual([422, field])
  expect(body.error.message).toContain(message)
  expect([sandbox.store.length, sandbox.errors]).toEqual([0, []])
})

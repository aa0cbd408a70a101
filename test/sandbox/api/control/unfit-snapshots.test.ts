import { expect, test } from 'vitest'
import { type Forged, forged } from '../../../support/stores.ts'
import { type TestSandbox, testSandbox } from '../../../support/test-sandbox.ts'

async function snapshotOf({ control }: TestSandbox): Promise<Forged> {
  return (await control('GET', '/snapshot')).body
}

const registration = (fields: object) => ({
  head: {
    kind: 'registration',
    at: 1,
    registration: {
      id: 'r',
      url: 'https://localhost:9443/x',
      enabled: true,
      generation: 'webhooks',
      object_type: 'users',
      description: null,
      created_at: 1,
      updated_at: 1,
      ...fields,
    },
  },
  body: '',
})

const FAULT = {
  id: 'f',
  on: 'api',
  match: {},
  times: null,
  skip: 0,
  probability: 1,
  seed: 0,
  settings: {},
}

test.each<[string, Forged, readonly [code: string, why: string]]>([
  [
    'of a kind that is not known',
    { head: { kind: 'zzz', at: 1 }, body: '' },
    ['invalid', '/kind" cannot be "zzz"'],
  ],
  ['without a kind', { head: { at: 1 }, body: '' }, ['invalid', '/kind" cannot be left out']],
  ['without a time', { head: { kind: 'clock' }, body: '' }, ['missing_fields', 'entries/1/head/at']],
  [
    'without its registration',
    { head: { kind: 'registration', at: 1 }, body: '' },
    ['missing_fields', 'entries/1/head/registration'],
  ],
  ['that is half a job', { head: { kind: 'job', at: 1 }, body: '' }, ['missing_fields', 'entries/1/head/id']],
  [
    'of a fault that does not exist',
    { head: { kind: 'fault', at: 1, fault: { ...FAULT, kind: 'zzz' } }, body: '' },
    ['invalid', '"entries/1/head/fault/kind" takes'],
  ],
  [
    'with a body that is not JSON',
    { head: { kind: 'object', at: 1, object_type: 'items', id: 'x', revision: 1 }, body: '{' },
    ['damaged_snapshot', 'entry 2: its body is not JSON'],
  ],
  [
    'that chooses what no reading has',
    { head: { kind: 'readings', at: 1, chosen: { signature: 'x' } }, body: '' },
    ['damaged_snapshot', 'signature'],
  ],
  [
    'that chooses an outcome that the kind does not come to',
    { head: { kind: 'next-outcome', at: 1, payment_kind: 'card-payin', outcome: 'x' }, body: '' },
    ['damaged_snapshot', 'card-payin to "x"'],
  ],
  [
    'that registers a URL that may not be called',
    registration({ url: 'https://169.254.169.254/' }),
    ['damaged_snapshot', '169.254.169.254'],
  ],
])('a snapshot with an entry %s is rejected without a change', async (_, entry, [code, why]) => {
  const sandbox = testSandbox()
  await sandbox.register()
  const before = await snapshotOf(sandbox)

  const put = await sandbox.control(
    'PUT',
    '/snapshot',
    forged(before, { entries: [...before['entries'], entry] }),
  )

  expect([put.status, put.body.error]).toEqual([
    422,
    expect.objectContaining({ code, message: expect.stringContaining(why) }),
  ])
  expect((await snapshotOf(sandbox))['entries']).toEqual(before['entries'])
  expect(sandbox.errors).toEqual([])
})

test.each([
  ['items', { state: 'refunded' }, '"status":22600', '"status":22500', '"status" cannot be 22500'],
  ['disbursements', {}, '"trying"', '"failed"', '"npp_payout_state" cannot be "failed"'],
  ['users', {}, '"self":"/users/', '"self":"/users/x', '"links/self" takes'],
])('a snapshot with %s made with %j, then %s made %s, is rejected', async (...row) => {
  const [type, fields, said, instead, why] = row
  const sandbox = testSandbox()
  await sandbox.control('POST', `/objects/${type}`, fields)
  const before = await snapshotOf(sandbox)
  const entries = before['entries'].map(({ head, body }: Forged) => ({
    head,
    body: String(body).replace(said, instead),
  }))

  const put = await sandbox.control('PUT', '/snapshot', forged(before, { entries }))

  expect(entries).not.toEqual(before['entries'])
  expect([put.status, put.body.error]).toEqual([
    422,
    expect.objectContaining({ code: 'damaged_snapshot', message: expect.stringContaining(why) }),
  ])
})

test.each<[string, Forged]>([
  ['a clock that shows no time', { clock: { mode: 'manual', speed: 0, now: '2026-13-45T00:00:00.000Z' } }],
  [
    'a clock that runs too fast',
    { clock: { mode: 'compressed', speed: 1e12, now: '2026-01-01T00:00:00.000Z' } },
  ],
  ['a clock of the year 9999', { clock: { mode: 'manual', speed: 0, now: '9999-06-01T00:00:00.000Z' } }],
  ['readings that do not exist', { readings: { signature: 'perhaps' } }],
  ['two enabled registrations of a type', { entries: [registration({}), registration({ id: 's' })] }],
])('a snapshot with %s is rejected without a change', async (_, changes) => {
  const sandbox = testSandbox()
  await sandbox.control('POST', '/objects/items', {})
  const before = await snapshotOf(sandbox)

  const put = await sandbox.control('PUT', '/snapshot', forged(before, changes))

  expect([put.status, put.body.error.code]).toEqual([422, 'damaged_snapshot'])
  expect(await snapshotOf(sandbox)).toEqual({ ...before, requests: expect.anything() })
})

test('a snapshot brings its readings to any sandbox', async () => {
  const first = testSandbox({ readings: { 'retry-window': 'five-attempts' } })
  const snapshot = await snapshotOf(first)
  const second = testSandbox({ readings: { 'retry-window': '24h', 'callback-retry': 'as-webhooks' } })

  await second.control('PUT', '/snapshot', snapshot)

  expect(second.context.readings()).toMatchObject({
    'retry-window': 'five-attempts',
    'callback-retry': 'none',
  })
})

test('a held-back delivery is held back again in the restored world', async () => {
  const sandbox = testSandbox()
  await sandbox.register()
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'reorder', times: 1 })
  await sandbox.control('POST', '/objects/items', { name: 'first' })
  const snapshot = await snapshotOf(sandbox)

  await sandbox.control('PUT', '/snapshot', snapshot)
  await sandbox.control('POST', '/objects/items', { name: 'second' })
  await sandbox.idle()
  await sandbox.control('GET', '/clock')
  await sandbox.idle()

  const names = sandbox.transport.messages
    .slice(1)
    .map(({ body }) => JSON.parse(Buffer.from(body).toString()).items.name)
  const { body: faults } = await sandbox.control('GET', '/faults')
  expect([names, faults.faults[0].applied]).toEqual([['second', 'first'], 1])
})

test('a snapshot has its secrets, newest first, and the lists hide them', async () => {
  const sandbox = testSandbox()
  const secrets = [
    'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9',
    'q8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9k3V',
    'r1mXw6Yp0sDf4Gh7Jb2Nc5Le9k3Vq8ZT',
  ]
  for (const secret_key of secrets) await sandbox.call('POST', '/webhooks/secret_key', { secret_key })

  const { body } = await sandbox.control('GET', '/snapshot/secrets')
  const { entries } = await sandbox.perform('getSnapshot')

  const listed = body.secrets.map(({ secret_key }: { readonly secret_key: string }) => secret_key)
  expect(listed).toEqual([secrets[2], secrets[1]])
  expect(entries.filter(({ head }) => head.kind === 'secret').map(({ body: text }) => text)).toEqual(secrets)
})

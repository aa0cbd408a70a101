import { expect, test } from 'vitest'
import { type Forged, forged } from '../../../support/stores.ts'
import { registeredSandbox, type TestSandbox, testSandbox } from '../../../support/test-sandbox.ts'

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

const NOW = '2026-01-01T00:00:00.000Z'
const entry = (head: Forged, body = '') => ({ head, body })

test.each<[string, Forged, code: string, why: string]>([
  ['of an unknown kind', entry({ kind: 'zzz', at: 1 }), 'invalid', '/kind" cannot be "zzz"'],
  ['without a time', entry({ kind: 'clock' }), 'missing_fields', 'entries/1/head/at'],
  [
    'of an unknown fault',
    entry({ kind: 'fault', at: 1, fault: { ...FAULT, kind: 'zzz' } }),
    'invalid',
    '"entries/1/head/fault/kind" takes',
  ],
  [
    'with a body that is not JSON',
    entry({ kind: 'object', at: 1, object_type: 'items', id: 'x', revision: 1 }, '{'),
    'damaged_snapshot',
    'entry 2: the body is not JSON',
  ],
  [
    'with an unknown outcome of a payment kind',
    entry({ kind: 'next-outcome', at: 1, payment_kind: 'card-payin', outcome: 'x' }),
    'damaged_snapshot',
    'card-payin with outcome "x"',
  ],
  [
    'with a forbidden URL',
    registration({ url: 'https://169.254.169.254/' }),
    'damaged_snapshot',
    '169.254.169.254',
  ],
])('a snapshot with an entry %s is rejected and changes nothing', async (...[, added, code, why]) => {
  const sandbox = await registeredSandbox()
  const before = await snapshotOf(sandbox)

  const entries = [...before['entries'], added]
  const put = await sandbox.control('PUT', '/snapshot', forged(before, { entries }))

  expect(put.status).toBe(422)
  expect(put.body.error).toEqual(expect.objectContaining({ code, message: expect.stringContaining(why) }))
  expect((await snapshotOf(sandbox))['entries']).toEqual(before['entries'])
})

test.each([
  ['disbursements', {}, '"trying"', '"failed"', '"npp_payout_state" cannot be "failed"'],
  ['users', {}, '"self":"/users/', '"self":"/users/x', '"links/self" takes'],
])('a snapshot of %s created with %j is rejected when %s becomes %s', async (...row) => {
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
  ['an invalid clock time', { clock: { mode: 'manual', speed: 0, now: '2026-13-45T00:00:00.000Z' } }],
  ['a clock that runs too fast', { clock: { mode: 'compressed', speed: 1e12, now: NOW } }],
  ['a clock in the year 9999', { clock: { mode: 'manual', speed: 0, now: '9999-06-01T00:00:00.000Z' } }],
  ['two enabled registrations of a type', { entries: [registration({}), registration({ id: 's' })] }],
])('a snapshot with %s is rejected and changes nothing', async (_, changes) => {
  const sandbox = testSandbox()
  await sandbox.control('POST', '/objects/items', {})
  const before = await snapshotOf(sandbox)

  const put = await sandbox.control('PUT', '/snapshot', forged(before, changes))

  expect([put.status, put.body.error.code]).toEqual([422, 'damaged_snapshot'])
  expect(await snapshotOf(sandbox)).toEqual({ ...before, requests: expect.anything() })
})

test('a restored snapshot sets the readings of the sandbox', async () => {
  const first = testSandbox({ readings: { 'retry-window': 'five-attempts' } })
  const snapshot = await snapshotOf(first)
  const second = testSandbox({ readings: { 'retry-window': '24h', 'callback-retry': 'as-webhooks' } })

  await second.control('PUT', '/snapshot', snapshot)

  expect(second.context.readings()).toMatchObject({
    'retry-window': 'five-attempts',
    'callback-retry': 'none',
  })
})

test('GET /snapshot/secrets lists the secrets, the newest first', async () => {
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

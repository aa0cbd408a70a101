import { expect, test } from 'vitest'
import { RECEIVER, START, testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'
import { createMemoryDatabase } from '../../../support/stores.ts'

const [FIRST, SECOND, THIRD] = [
  'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9',
  'a/different+secret=of~32_or-more!chars',
  'third-secret-that-is-32-chars-long',
]
const DAY = 24 * 3_600_000
const T = START / 1_000
const BODY = '{"items":{"name":"Größe 42 ✓"}}'
const TEST_BODY = '{"message":"Payments service notification test"}'

// Test vectors by body, time and secret, created with: printf '%s' "$T.$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary |
// openssl base64 -A | tr '+/' '-_' | tr -d '='
const VECTORS = {
  [BODY]: {
    [T]: { [FIRST]: 'SfT2PhDUcsbQVdZAUr17PJXVejLQijs0rluu2T8AH50' },
    [T + 300]: { [FIRST]: '4iFn_rZ1UV7XwtDuzWQKczOc3DsvUyxv4xS_JOjCv7o' },
  },
  [TEST_BODY]: {
    [T]: {
      [FIRST]: 's9nJetLI7Z0dYfHStpoLEgNlQ1pLHVDgUL5PI9GqOZM',
      [SECOND]: '0cJW-3E0edgq3zo-lBXNagCJg-kWMbIDy8IZqSITtjc',
    },
    [T + 86_399]: {
      [FIRST]: 'KQkLH2GfDnXMF_ZVd-C6THgKF66GtX0lVDd7NDht0BI',
      [SECOND]: 'MomzhmvL3XLs4L82S3hONASqUw21Up9pSt6z39AdVJU',
    },
    [T + 86_400]: { [SECOND]: 'xgjGcpSB_z3l7Hbj15eO2Yw8SPe6mbqeUdHVamXZtxw' },
  },
}

function expected(body: keyof typeof VECTORS, t: number, secrets: readonly string[]): string {
  const bySecret: Readonly<Record<string, string>> = VECTORS[body]?.[t] ?? {}
  return [`t=${t}`, ...secrets.map((secret) => `v=${bySecret[secret]}`)].join(',')
}

const setSecret = ({ call }: TestSandbox, secret_key: string) =>
  call('POST', '/webhooks/secret_key', { secret_key })

/** Returns the signature of a test POST. */
async function signatureOfTest({ call, transport }: TestSandbox): Promise<string | undefined> {
  await call('POST', '/webhooks', { url: RECEIVER, object_type: 'items', enabled: false })
  expect(Buffer.from(transport.messages.at(-1)?.body ?? []).toString()).toBe(TEST_BODY)
  return transport.messages.at(-1)?.headers['Webhooks-signature']
}

/** Stores a job for a webhook or callback. A test vector exists for the job's body. */
async function commitJob(
  { store }: TestSandbox,
  registration_id: string,
  generation: 'webhooks' | 'callbacks' = 'webhooks',
): Promise<void> {
  const job = { id: 'a', generation, registration_id, object_type: 'items', object_id: 'b' } as const
  const rest = { at: START, revision: 1, state: null, url: RECEIVER }
  await store.commit([{ head: { kind: 'job', ...job, ...rest }, body: BODY }])
}

test('every webhook attempt has a new signature with the real time', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 1 ? 503 : 200) })
  await setSecret(sandbox, FIRST)
  await commitJob(sandbox, await sandbox.register())
  await sandbox.idle()
  sandbox.realTime.move(300_999)

  await sandbox.advance(START + DAY)

  expect(sandbox.transport.messages.map(({ headers }) => headers['Webhooks-signature'])).toEqual([
    expected(TEST_BODY, T, [FIRST]),
    expected(BODY, T, [FIRST]),
    expected(BODY, T + 300, [FIRST]),
  ])
})

test('a replaced secret still signs for 24 hours of sandbox time, after the signature of the new secret', async () => {
  const sandbox = testSandbox()
  await setSecret(sandbox, FIRST)
  await setSecret(sandbox, SECOND)

  const atOnce = await signatureOfTest(sandbox)
  sandbox.realTime.move(DAY - 1)
  await sandbox.advance(START + DAY - 1)
  const atLast = await signatureOfTest(sandbox)
  sandbox.realTime.move(1)
  const stillBefore = await signatureOfTest(sandbox)
  await sandbox.advance(START + DAY)
  const afterwards = await signatureOfTest(sandbox)

  expect([atOnce, atLast, stillBefore?.split(',').length, afterwards]).toEqual([
    expected(TEST_BODY, T, [SECOND, FIRST]),
    expected(TEST_BODY, T + 86_399, [SECOND, FIRST]),
    3,
    expected(TEST_BODY, T + 86_400, [SECOND]),
  ])
})

test('only the two newest secrets sign notifications', async () => {
  const sandbox = testSandbox()
  for (const secret of [THIRD, FIRST, SECOND, SECOND]) await setSecret(sandbox, secret)

  expect(await signatureOfTest(sandbox)).toBe(expected(TEST_BODY, T, [SECOND, FIRST]))
})

test('secrets survive a restart', async () => {
  const database = createMemoryDatabase()
  const before = testSandbox({ store: database.open() })
  await setSecret(before, FIRST)

  const after = testSandbox({ store: database.open() })

  expect(await signatureOfTest(after)).toBe(expected(TEST_BODY, T, [FIRST]))
})

test.each([
  ['before a secret is set', { secrets: [], signature: 'hmac', generation: 'webhooks' }],
  ['while the reading "signature" is off', { secrets: [FIRST], signature: 'off', generation: 'webhooks' }],
  ['when the notification is a callback', { secrets: [FIRST], signature: 'hmac', generation: 'callbacks' }],
] as const)('a notification is not signed %s', async (_, { secrets, signature, generation }) => {
  const sandbox = testSandbox()
  for (const secret of secrets) await setSecret(sandbox, secret)
  const registration = await sandbox.register()
  await sandbox.control('PATCH', '/readings', { signature })

  await commitJob(sandbox, registration, generation)
  await sandbox.idle()

  expect(Object.keys(sandbox.transport.messages.at(-1)?.headers ?? {})).toEqual([
    'content-type',
    'user-agent',
  ])
})

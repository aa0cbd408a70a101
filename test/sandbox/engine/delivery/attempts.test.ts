import { expect, test } from 'vitest'
import { receiverRemedy } from '../../../../sandbox/engine/delivery/receiver-remedy.ts'
import { readingValues } from '../../../../spec/readings.ts'
import { isVisible } from '../../../../sandbox/engine/delivery/recording-lag.ts'
import {
  makeItems,
  registeredSandbox,
  START,
  type TestOptions,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'
import type { Generation } from '../../../../spec/delivery.ts'
import { createMemoryDatabase } from '../../../support/stores.ts'

test('receiverRemedy() returns the fix for each rejected status', () => {
  const statuses = [299, null, 302, 401, 404, 500]

  expect(statuses.map((status) => [status, receiverRemedy(status, false)?.split(/[;,]/)[0]])).toEqual([
    [299, undefined],
    [null, undefined],
    [302, 'the service does not follow redirects'],
    [401, 'let your receiver accept this POST without credentials'],
    [404, 'let your receiver accept POST at the path of this URL'],
    [500, 'let your receiver answer every POST to this path with 2xx'],
  ])
})

const lagging = readingValues({ 'job-recording-lag': '200ms' })

const ended = { at: 1_000, recorded_at: 5_000 }

test.each([
  ['the recording lag has passed in neither time', { now: 1_199, realNow: 5_199 }, false],
  ['the recording lag has passed in sandbox time', { now: 1_200, realNow: 5_000 }, true],
  ['the recording lag has passed in real time', { now: 1_000, realNow: 5_200 }, true],
  ['the wall clock was set back', { now: 1_000, realNow: 4_999 }, true],
])('isVisible() returns the expected result when %s', (_, clocks, shows) => {
  expect(isVisible(ended, clocks, lagging)).toBe(shows)
})

const MINUTE = 60_000

/** Returns the start times of the attempts, in minutes after the trigger. */
async function retryMinutes(script: (attempt: number) => number, readings: Record<string, string> = {}) {
  const sandbox = await registeredSandbox(script, { readings })
  await makeItems(sandbox, 1)
  await sandbox.advance(START + 3 * 24 * 60 * MINUTE)
  return sandbox.attempts.map(({ started_at }) => (started_at - START) / MINUTE)
}

test('a failed delivery is retried 5, 25, 105 and 425 minutes after the first failure', async () => {
  expect(await retryMinutes(() => 503)).toEqual([0, 5, 25, 105, 425])
})

test('a fifth retry follows after 1705 minutes when the reading "retry-window" is "five-attempts"', async () => {
  expect(await retryMinutes(() => 503, { 'retry-window': 'five-attempts' })).toEqual([
    0, 5, 25, 105, 425, 1705,
  ])
})

test.each([200, 204, 299])('an attempt that gets status %d is not retried', async (status) => {
  expect(await retryMinutes((attempt) => (attempt === 0 ? 503 : status))).toEqual([0, 5])
})

test.each([100, 199, 300, 304, 404, 410, 429, 500, 999])(
  'an attempt that gets status %d is retried',
  async (status) => {
    expect(await retryMinutes(() => status)).toEqual([0, 5, 25, 105, 425])
  },
)

/** The table in §5, transcribed independently of the spec. */
const TABLE = {
  'pre-live': {
    callbacks: ['13.236.213.54', '13.237.52.66', '13.237.231.88', '54.183.18.207', '54.183.142.227'],
    webhooks: ['54.183.18.207', '54.183.142.227', '13.237.240.238', '54.66.162.247', '52.63.199.160'],
  },
  production: {
    callbacks: ['13.238.88.233', '13.238.89.179', '13.238.80.244', '54.183.18.207', '54.183.142.227'],
    webhooks: ['54.183.18.207', '54.183.142.227', '3.24.122.159', '54.79.20.55', '52.62.134.160'],
  },
} as const

const EARLIER_CALLBACKS = ['54.183.18.207', '54.183.142.227']

const ENVIRONMENTS = ['pre-live', 'production'] as const

const URLS: { readonly [Each in Generation]: string } = {
  callbacks: 'https://localhost:9443/callbacks/items/0a1b2c3d4e5f6071',
  webhooks: 'https://localhost:9443/webhooks/items/3f9c1d2ab47e8051',
}

/** Creates a sandbox that sends the source address in a header. */
function tellingSandbox(options: TestOptions): TestSandbox {
  return testSandbox({ ...options, source: { kind: 'header', name: 'X-Forwarded-For' } })
}

/** Registers both generations, which pre-live requires for items. Source: §1 */
async function registerBoth({ call }: TestSandbox): Promise<void> {
  for (const [generation, url] of Object.entries(URLS))
    expect(await call('POST', `/${generation}`, { url, object_type: 'items' })).toMatchObject({ status: 201 })
}

async function notifyItems(sandbox: TestSandbox, count: number): Promise<void> {
  await makeItems(sandbox, count)
  await sandbox.idle()
}

/** Returns the sending addresses of a generation, without the address of the test POST. */
function sources({ transport }: TestSandbox, generation: Generation): unknown[] {
  return transport.messages
    .filter(({ url, body }) => url === URLS[generation] && !isTestPost(body))
    .map(({ headers }) => headers['x-forwarded-for'])
}

function isTestPost(body: Uint8Array): boolean {
  return Buffer.from(body).toString().startsWith('{"message":')
}

test.each(ENVIRONMENTS)(
  'the two generations in %s use their own documented source addresses in turn',
  async (environment) => {
    const sandbox = tellingSandbox({ readings: { environment } })
    await registerBoth(sandbox)
    await notifyItems(sandbox, 7)

    const { callbacks, webhooks } = TABLE[environment]
    expect(sources(sandbox, 'callbacks')).toEqual([...callbacks, ...callbacks.slice(0, 2)])
    expect(sources(sandbox, 'webhooks')).toEqual([...webhooks, ...webhooks.slice(0, 2)])
  },
)

test.each(ENVIRONMENTS)(
  'the earlier callbacks in %s use two source addresses in turn, and webhooks use five',
  async (environment) => {
    const sandbox = tellingSandbox({ readings: { environment, 'callback-list': 'earlier' } })
    await registerBoth(sandbox)
    await notifyItems(sandbox, 5)

    expect(sources(sandbox, 'callbacks')).toEqual([
      ...EARLIER_CALLBACKS,
      ...EARLIER_CALLBACKS,
      EARLIER_CALLBACKS[0],
    ])
    expect(sources(sandbox, 'webhooks')).toEqual(TABLE[environment].webhooks)
  },
)

test('each generation continues with its next source address after a restart', async () => {
  const database = createMemoryDatabase()
  const first = tellingSandbox({ store: database.open() })
  await registerBoth(first)
  await notifyItems(first, 3)
  const second = tellingSandbox({ store: database.open() })
  await notifyItems(second, 2)

  expect(sources(second, 'callbacks')).toEqual(TABLE['pre-live'].callbacks.slice(3))
  expect(sources(second, 'webhooks')).toEqual(TABLE['pre-live'].webhooks.slice(3))
})

test('a retry uses the same source address as the first attempt of its job', async () => {
  const sandbox = tellingSandbox({ script: (_, index) => (index < 2 ? 200 : 503) })
  await registerBoth(sandbox)
  await notifyItems(sandbox, 2)
  const before = sources(sandbox, 'webhooks')
  await sandbox.advance(START + 6 * 60_000)

  expect(sources(sandbox, 'webhooks')).toEqual([...before, ...before])
})

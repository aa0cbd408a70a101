import { expect, test } from 'vitest'
import type { Generation } from '../../../../spec/delivery.ts'
import { START, testSandbox, type TestOptions, type TestSandbox } from '../../../support/test-sandbox.ts'
import { createMemoryDatabase } from '../../../support/stores.ts'

/** The table of §5 once more, so that an edit of `spec/` that departs from it is noticed. */
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

/** A sandbox that says in a header where each delivery comes from. */
function tellingSandbox(options: TestOptions): TestSandbox {
  return testSandbox({ ...options, source: { kind: 'header', name: 'X-Forwarded-For' } })
}

/** Items are registered in both generations, as in pre-live they must be. Source: §1 */
async function registerBoth({ call }: TestSandbox): Promise<void> {
  for (const [generation, url] of Object.entries(URLS))
    expect(await call('POST', `/${generation}`, { url, object_type: 'items' })).toMatchObject({ status: 201 })
}

async function createItems({ control, idle }: TestSandbox, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await control('POST', '/objects/items', {})
  await idle()
}

/** Where the notifications of a generation came from, in their order, the test POST aside. */
function sources({ transport }: TestSandbox, generation: Generation): unknown[] {
  return transport.messages
    .filter(({ url, body }) => url === URLS[generation] && !isTestPost(body))
    .map(({ headers }) => headers['x-forwarded-for'])
}

function isTestPost(body: Uint8Array): boolean {
  return Buffer.from(body).toString().startsWith('{"message":')
}

test.each(ENVIRONMENTS)(
  'in %s, the two generations leave from their own addresses of §5 in turn',
  async (environment) => {
    const sandbox = tellingSandbox({ readings: { environment } })
    await registerBoth(sandbox)
    await createItems(sandbox, 7)

    const { callbacks, webhooks } = TABLE[environment]
    expect(sources(sandbox, 'callbacks')).toEqual([...callbacks, ...callbacks.slice(0, 2)])
    expect(sources(sandbox, 'webhooks')).toEqual([...webhooks, ...webhooks.slice(0, 2)])
  },
)

test.each(ENVIRONMENTS)(
  'in %s, the earlier callbacks leave from two addresses in turn, beside webhooks from five',
  async (environment) => {
    const sandbox = tellingSandbox({ readings: { environment, 'callback-list': 'earlier' } })
    await registerBoth(sandbox)
    await createItems(sandbox, 5)

    expect(sources(sandbox, 'callbacks')).toEqual([
      ...EARLIER_CALLBACKS,
      ...EARLIER_CALLBACKS,
      EARLIER_CALLBACKS[0],
    ])
    expect(sources(sandbox, 'webhooks')).toEqual(TABLE[environment].webhooks)
  },
)

test('one generation alone leaves from all its addresses', async () => {
  const sandbox = tellingSandbox({})
  await sandbox.call('POST', '/callbacks', { url: URLS.callbacks, object_type: 'items' })
  await createItems(sandbox, 5)

  expect(sources(sandbox, 'callbacks')).toEqual(TABLE['pre-live'].callbacks)
})

test('after a restart each generation goes on where it was', async () => {
  const database = createMemoryDatabase()
  const first = tellingSandbox({ store: database.open() })
  await registerBoth(first)
  await createItems(first, 3)
  const second = tellingSandbox({ store: database.open() })
  await createItems(second, 2)

  expect(sources(second, 'callbacks')).toEqual(TABLE['pre-live'].callbacks.slice(3))
  expect(sources(second, 'webhooks')).toEqual(TABLE['pre-live'].webhooks.slice(3))
})

test('a retry leaves from the address of its job', async () => {
  const sandbox = tellingSandbox({ script: (_, index) => (index < 2 ? 200 : 503) })
  await registerBoth(sandbox)
  await createItems(sandbox, 2)
  const before = sources(sandbox, 'webhooks')
  await sandbox.advance(START + 6 * 60_000)

  expect(sources(sandbox, 'webhooks')).toEqual([...before, ...before])
})

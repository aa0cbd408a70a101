import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EXAMPLES } from '../../../../spec/generated/examples.ts'
import type { Item } from '../../../../spec/generated/service-types.ts'
import type {
  AttemptHead,
  Entry,
  JobHead,
  ObjectHead,
  Registration,
} from '../../../../sandbox/engine/state/entries.ts'
import { ConflictError } from '../../../../sandbox/engine/state/storage-error.ts'
import type { Store } from '../../../../sandbox/engine/state/store.ts'
import {
  createFailingDisk,
  createMemoryDatabase,
  createWatchedDatabase,
  openFileStore,
} from '../../../support/stores.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const golden = EXAMPLES.find(({ type }) => type === 'items')
if (golden?.type !== 'items') throw new Error('There is no golden item')
const item: Item = golden.body.items

const registration = {
  generation: 'webhooks',
  id: 'r1',
  url: 'https://localhost:9443/items',
  object_type: 'items',
  enabled: true,
  description: null,
  created_at: 1,
  updated_at: 1,
} as const satisfies Registration

function registered(changes: Partial<Pick<Registration, 'id' | 'generation' | 'enabled'>> = {}): Entry {
  return { head: { kind: 'registration', at: 1, registration: { ...registration, ...changes } }, body: '' }
}

function object(revision: number, changes: Partial<Item> = {}): Entry<ObjectHead> {
  const head = { kind: 'object', at: revision, object_type: 'items', id: item.id, revision } as const
  return { head, body: JSON.stringify({ ...item, ...changes }) }
}

function job(id: string, at = 10): Entry<JobHead> {
  const head: JobHead = {
    kind: 'job',
    at,
    id,
    generation: 'webhooks',
    registration_id: 'r1',
    object_type: 'items',
    object_id: item.id,
    revision: 1,
    state: 'pending',
    url: registration.url,
  }
  return { head, body: `{"job":"${id}"}` }
}

function attempt(jobId: string, changes: Partial<AttemptHead> = {}): Entry<AttemptHead> {
  const head: AttemptHead = {
    kind: 'attempt',
    at: 20,
    job_id: jobId,
    number: 1,
    url: registration.url,
    due_at: 10,
    started_at: 11,
    recorded_at: 5,
    status: 503,
    reason: 'http_503',
    message: 'Answered 503',
    next_due_at: 300_020,
    flags: [],
    timings: { connectedMs: 1, answeredMs: 2, totalMs: 3 },
    ...changes,
  }
  return { head, body: JSON.stringify({ request_headers: [], request_body: null, response: null }) }
}

/** Returns all data of a store. */
function world(store: Store) {
  return {
    latestAt: store.latestAt(),
    items: [...store.objectIds('items')].map((id) => store.object('items', id)),
    registrations: store.registrations('webhooks'),
    enabled: store.enabledRegistration('webhooks', 'items'),
    jobs: store
      .jobs()
      .map((record) => ({ record, body: store.jobBody(record), attempts: store.attempts(record) })),
  }
}

/** Functions that reopen a store, as a restart does. */
const OPENERS: readonly (readonly [string, () => () => Store])[] = [
  ['in memory', () => createMemoryDatabase().open],
  [
    'in a file',
    () => {
      const path = join(temporaryFolder(), 'store.sqlite')
      let store: Store | undefined
      onTestFinished(() => store?.close())
      return () => {
        store?.close()
        store = openFileStore(path)
        return store
      }
    },
  ],
]

describe.each(OPENERS)('a store %s', (_, opener) => {
  test('a store shows entries before they are durable and announces the entries in order', async () => {
    const store = opener()()
    const heard: string[] = []
    store.subscribe(({ kind }) => heard.push(kind))

    const committed = store.commit([object(1, { name: 'First' }), job('j1')])

    expect([heard, store.length]).toEqual([[], 2])
    expect(store.object('items', item.id)).toMatchObject({ revision: 1, body: { name: 'First' } })
    expect(store.jobBody(store.jobs()[0] ?? fail())).toBe('{"job":"j1"}')
    await committed
    expect(heard).toEqual(['object', 'job'])
  })

  test('a store shows the same world after reopening', async () => {
    const open = opener()
    const store = open()
    await store.commit([registered(), object(1), job('j1'), job('j2'), job('j3')])
    await store.commit([attempt('j1'), attempt('j2', { reason: null, status: 200, next_due_at: null })])
    await store.commit([
      object(2, { name: 'Second' }),
      { head: { kind: 'cancellation', at: 21, job_id: 'j1' }, body: '' },
    ])
    const before = world(store)

    expect(world(open())).toEqual(before)
    expect(before.jobs.map(({ record }) => [record.status, record.next_due_at])).toEqual([
      ['failed', null],
      ['success', null],
      ['pending', 10],
    ])
  })

  test('a store shows a new object under each of its IDs, even after failed lookups', async () => {
    const store = opener()()
    const find = (id: string) => [store.object('accounts', id)?.revision, store.objectVersion('accounts', id)]
    const ids = [item.id, '1234567']
    expect(ids.map(find)).toEqual(ids.map(() => [undefined, undefined]))

    const { body } = object(1)
    const head = { ...object(1).head, object_type: 'accounts' } as const
    await store.commit([{ head: { ...head, aliases: ['1234567'] }, body }])
    const [first, second] = ids.map(find)
    await store.commit([{ head: { ...head, revision: 2 }, body }])

    expect([first, second]).toEqual([[1, expect.any(Number)], first])
    expect(ids.map(find)).not.toContainEqual(first)
    expect(ids.map((id) => store.object('accounts', id)?.revision)).toEqual([2, 2])
  })

  test('a store rejects a second enabled registration of the same type', async () => {
    const store = opener()()
    await store.commit([registered()])

    expect(() => store.commit([registered({ id: 'r2' })])).toThrow(ConflictError)
    await store.commit([
      registered({ id: 'r3', enabled: false }),
      registered({ id: 'r4', generation: 'callbacks' }),
    ])

    expect(store.registrations('webhooks').map(({ id }) => id)).toEqual(['r1', 'r3'])
  })
})

test('the store keeps a changed object once, and returns the complete bodies of its jobs', async () => {
  const path = join(temporaryFolder(), 'store.sqlite')
  const changed = object(1)
  const jobs = ['j1', 'j2'].map((id) => ({ ...job(id), body: `{"items":${changed.body}}` }))
  const entries = [registered(), changed, ...jobs]
  const first = openFileStore(path)
  await first.commit(entries)
  first.close()

  const database = new DatabaseSync(path, { readOnly: true })
  const length = database.prepare('SELECT sum(length(body)) AS sum FROM history').get()?.['sum']
  database.close()
  const store = openFileStore(path)
  onTestFinished(() => store.close())

  expect(length).toBeLessThan(changed.body.length + 50)
  expect(store.jobs().map((each) => store.jobBody(each))).toEqual(jobs.map(({ body }) => body))
  expect([...store.entries()]).toEqual(entries)
})

test('a store writes the commits of one event-loop turn in one transaction', async () => {
  const { open, writes } = createWatchedDatabase()
  const store = open()

  await Promise.all([store.commit([job('j1')]), store.commit([job('j2')]), store.commit([job('j3')])])

  expect(writes).toEqual([['job', 'job', 'job']])
})

test('a store returns to its durable state after a failed transaction', async () => {
  const disk = createFailingDisk()
  const store = disk.open()
  await store.commit([object(1, { name: 'Kept' })])
  disk.fail('full')

  const kept = store.objectVersion('items', item.id)
  const losing = store.commit([object(2, { name: 'Lost' }), job('j1')])
  const lost = store.objectVersion('items', item.id)
  await expect(losing).rejects.toThrow('The store is full')

  expect(store.object('items', item.id)).toMatchObject({ revision: 1, body: { name: 'Kept' } })
  expect(store.jobs()).toEqual([])
  disk.repair()
  store.recover()
  await store.commit([object(2, { name: 'Again' })])
  expect(store.object('items', item.id)?.body.name).toBe('Again')
  // A new version of an object must not reuse an earlier version number.
  expect([kept, lost]).not.toContain(store.objectVersion('items', item.id))
})

function fail(): never {
  throw new Error('There is no job')
}

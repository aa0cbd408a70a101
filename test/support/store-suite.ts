import { describe, expect, test } from 'vitest'
import { EXAMPLES } from '../../spec/generated/examples.ts'
import type { Item } from '../../spec/generated/service-types.ts'
import type { AttemptHead, Entry, JobHead } from '../../sandbox/engine/state/entries.ts'
import type { Log } from '../../sandbox/engine/state/log.ts'
import type { Registration } from '../../sandbox/engine/state/registration.ts'
import { ConflictError } from '../../sandbox/engine/state/second-enabled.ts'
import { createStore, type Store } from '../../sandbox/engine/state/store.ts'
import { createFailingLog } from './failing-log.ts'
import type { LogDriver } from './log-drivers.ts'

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

function object(revision: number, changes: Partial<Item> = {}): Entry {
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

const now = (run: () => void) => queueMicrotask(run)

/** Everything that a store shows, to compare two. */
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

/** What holds over each log. */
export function describeStore({ name, open }: LogDriver): void {
  describe(`a store over the ${name} log`, () => {
    test('shows what was committed at once, before it is durable', async () => {
      const { log, end } = await open()
      const store = createStore(log, now)

      const committed = store.commit([object(1, { name: 'First' }), job('j1')])

      expect(log.length).toBe(0)
      expect(store.object('items', item.id)).toMatchObject({ revision: 1, body: { name: 'First' } })
      expect(store.jobBody(store.jobs()[0] ?? fail())).toBe('{"job":"j1"}')
      await committed
      expect(log.length).toBe(2)
      store.close()
      await end()
    })

    test('makes all commits of one turn durable in one append', async () => {
      const { log, end } = await open()
      let appends = 0
      const counting: Log = { ...log, length: 0, append: (entries) => (appends++, log.append(entries)) }
      const store = createStore(counting, now)

      await Promise.all([store.commit([job('j1')]), store.commit([job('j2')]), store.commit([job('j3')])])

      expect([appends, log.length]).toEqual([1, 3])
      log.close()
      await end()
    })

    test('tells subscribers of entries in order, once they are durable', async () => {
      const { log, end } = await open()
      const store = createStore(log, now)
      const told: string[] = []
      store.subscribe((head) => told.push(`${head.kind} ${log.length}`))

      await store.commit([registered(), object(1), job('j1')])

      expect(told).toEqual(['registration 3', 'object 3', 'job 3'])
      store.close()
      await end()
    })

    test('shows the same world after it was opened again', async () => {
      const { log, reopened, end } = await open()
      const store = createStore(log, now)
      await store.commit([registered(), object(1), job('j1'), job('j2'), job('j3')])
      await store.commit([attempt('j1'), attempt('j2', { reason: null, status: 200, next_due_at: null })])
      await store.commit([
        object(2, { name: 'Second' }),
        { head: { kind: 'cancellation', at: 21, job_id: 'j1' }, body: '' },
      ])
      const before = world(store)

      const after = createStore(await reopened(), now)

      expect(world(after)).toEqual(before)
      expect(before.jobs.map(({ record }) => [record.status, record.next_due_at])).toEqual([
        ['failed', null],
        ['success', null],
        ['pending', 10],
      ])
      after.close()
      await end()
    })

    test('refuses a second enabled registration of a type and takes nothing', async () => {
      const { log, end } = await open()
      const store = createStore(log, now)
      await store.commit([registered()])

      expect(() => store.commit([registered({ id: 'r2' })])).toThrow(ConflictError)
      await store.commit([
        registered({ id: 'r3', enabled: false }),
        registered({ id: 'r4', generation: 'callbacks' }),
      ])

      expect(store.registrations('webhooks').map(({ id }) => id)).toEqual(['r1', 'r3'])
      store.close()
      await end()
    })

    test('frees the place of a registration that is disabled or deleted', async () => {
      const { log, end } = await open()
      const store = createStore(log, now)
      await store.commit([registered(), registered({ enabled: false }), registered({ id: 'r2' })])
      await store.commit([{ head: { kind: 'deletion', at: 2, registration_id: 'r2' }, body: '' }])

      await store.commit([registered({ id: 'r3' })])

      expect(store.enabledRegistration('webhooks', 'items')?.id).toBe('r3')
      expect(store.registration('r2')).toBeUndefined()
      store.close()
      await end()
    })

    test('goes back to what is durable when an append fails', async () => {
      const { log, end } = await open()
      const disk = createFailingLog(log)
      const store = createStore(disk.log, now)
      await store.commit([object(1, { name: 'Kept' })])
      disk.fail('full')

      const kept = store.objectVersion('items', item.id)
      const losing = store.commit([object(2, { name: 'Lost' }), job('j1')])
      const lost = store.objectVersion('items', item.id)
      await expect(losing).rejects.toThrow('The store is full')

      expect(store.object('items', item.id)).toMatchObject({ revision: 1, body: { name: 'Kept' } })
      expect(store.jobs()).toEqual([])
      disk.mend()
      store.recover()
      await store.commit([object(2, { name: 'Again' })])
      expect(store.object('items', item.id)?.body.name).toBe('Again')
      // What was shown meanwhile must not be taken for what is in its place now.
      expect([kept, lost]).not.toContain(store.objectVersion('items', item.id))
      store.close()
      await end()
    })
  })
}

function fail(): never {
  throw new Error('There is no job')
}

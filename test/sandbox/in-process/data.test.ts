import { expect, test } from 'vitest'
import { createData } from '../../../sandbox/in-process/data.ts'
import type { Store } from '../../../sandbox/engine/state/store.ts'
import { manualTime, testSandbox } from '../../support/test-sandbox.ts'
import { createInProcessTransport } from '../../../sandbox/in-process/in-process-transport.ts'

/** A store that can be replaced, like a restored world. */
function replaceable(first: Store): { readonly store: Store; readonly replace: (by: Store) => void } {
  let present = first
  const store: Store = {
    ...first,
    length: first.length,
    object: (type, id) => present.object(type, id),
    objectIds: (type) => present.objectIds(type),
  }
  return { store, replace: (by) => void (present = by) }
}

test('resync() updates the collections after a replacement of the store', async () => {
  const sandbox = testSandbox()
  const other = testSandbox()
  const errors: unknown[] = []
  const { store, replace } = replaceable(sandbox.store)
  const live = await createData({ ...sandbox, store, onError: (error) => errors.push(error) })
  const { body: both } = await sandbox.control('POST', '/objects/users', { id: 'both', mobile: '1' })
  await sandbox.control('POST', '/objects/users', { id: 'gone' })
  await other.control('POST', '/objects/companies', { related: { address: 'first', users: 'new' } })
  await other.control('POST', '/objects/users', { id: 'new' })
  await other.control('POST', '/objects/users', { ...both.object, mobile: '2' })
  await live.synced()
  const before = live.data.users.all().map(({ id, mobile }) => [id, mobile])

  replace(other.store)
  await live.resync()

  expect(before).toEqual([
    ['both', '1'],
    ['gone', expect.anything()],
  ])
  expect(live.data.users.all()).toEqual(['new', 'both'].map((id) => other.store.object('users', id)?.body))
  expect(live.data.users.findFirst((query) => query.where({ id: 'both' }))?.mobile).toBe('2')
  expect(errors).toEqual([])
  expect(live.data.companies.count()).toBe(1)
})

test('a damaged object is reported and blocks no other object of its collection', async () => {
  const sandbox = testSandbox()
  const errors: unknown[] = []
  const store: Store = {
    ...sandbox.store,
    length: 0,
    object(type, id) {
      if (id === 'broken') throw new Error('damaged')
      return sandbox.store.object(type, id)
    },
  }
  const live = await createData({ ...sandbox, store, onError: (error) => errors.push(error) })

  await sandbox.control('POST', '/objects/users', { id: 'broken' })
  await sandbox.control('POST', '/objects/users', { id: 'whole' })
  await live.synced()

  expect([live.data.users.all().map(({ id }) => id), errors]).toEqual([['whole'], [new Error('damaged')]])
})

const message = { url: 'https://receiver.test/items', headers: {}, body: new Uint8Array() }

test('an in-process POST ends without a response when the receiver misses the deadline', async () => {
  const time = manualTime()
  const transport = createInProcessTransport(() => () => new Promise<Response>(() => {}), time)
  const posted = transport.post(message, 10_000)
  time.move(10_000)

  expect(await posted).toMatchObject({
    outcome: {
      kind: 'unanswered',
      reason: 'header_timeout',
      message: 'The receiver did not answer within 10000 ms',
    },
    timings: { connectedMs: 0, answeredMs: null, totalMs: 10_000 },
  })
})

test('an in-process POST is refused when no receiver is registered at the URL', async () => {
  const transport = createInProcessTransport(() => undefined, manualTime())

  expect(await transport.post(message, 10_000)).toMatchObject({
    outcome: {
      kind: 'unanswered',
      reason: 'connect_refused',
      message: expect.stringContaining('No receiver listens at https://receiver.test/items'),
    },
    timings: { connectedMs: null, answeredMs: null, totalMs: 0 },
  })
})

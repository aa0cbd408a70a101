import { expect, test } from 'vitest'
import {
  aWhile,
  bodiesSent,
  idsSent,
  makeItems,
  START,
  type TestSandbox,
} from '../../../support/test-sandbox.ts'
import { withDeliveryFault } from '../../../support/faults.ts'

async function jobs({ control, store }: TestSandbox) {
  return Promise.all(store.jobs().map(async ({ id }) => (await control('GET', `/jobs/${id}`)).body))
}

const statusesOf = (exchanges: readonly { readonly status: number | null }[]) =>
  exchanges.map(({ status }) => status)

test.each(['duplicate', 'concurrent-duplicate'])('the fault %s sends the same bytes again', async (kind) => {
  const sandbox = await withDeliveryFault(
    { kind, copies: 2, times: 1 },
    (index) => [200, 500, 503][index] ?? 200,
  )
  await makeItems(sandbox, 1)
  await sandbox.idle()

  const [{ job, attempts }] = await jobs(sandbox)

  const [frozen, ...copies] = bodiesSent(sandbox)
  expect([copies, attempts[0].request.body]).toEqual([[frozen, frozen], frozen])
  expect([job.status, job.attempts, attempts[0].status]).toEqual(['success', 1, 200])
  expect(statusesOf(attempts[0].others)).toEqual([500, 503])
  expect(attempts[0].faults).toEqual([{ id: sandbox.fault, kind }])
})

test.each(['duplicate', 'concurrent-duplicate'])(
  'a delivery with the fault %s is retried when the first copy is rejected',
  async (kind) => {
    const sandbox = await withDeliveryFault({ kind, times: 1 }, (index) => (index === 0 ? 500 : 200))
    await makeItems(sandbox, 1)
    await sandbox.control('POST', '/clock/advance', { by: '5m' })

    const [{ job, attempts }] = await jobs(sandbox)

    expect(job.status).toBe('success')
    expect(statusesOf(attempts)).toEqual([500, 200])
    expect(statusesOf(attempts[0].others)).toEqual([200])
  },
)

test('the fault "concurrent-duplicate" sends copies before the response, and the fault "duplicate" sends copies after the response', async () => {
  const most = await Promise.all(
    ['concurrent-duplicate', 'duplicate'].map(async (kind) => {
      const [counts, gate] = [{ underWay: 0, most: 0 }, Promise.withResolvers<void>()]
      const sandbox = await withDeliveryFault({ kind, copies: 3 }, async () => {
        counts.most = Math.max(counts.most, ++counts.underWay)
        await gate.promise
        counts.underWay--
        return 200
      })
      await makeItems(sandbox, 1)
      gate.resolve()
      await sandbox.idle()
      return [counts.most, bodiesSent(sandbox).length]
    }),
  )

  expect(most).toEqual([
    [4, 4],
    [1, 4],
  ])
})

test('the fault "drop" sends nothing, and the job is retried at its normal retry times', async () => {
  const sandbox = await withDeliveryFault({ kind: 'drop', times: 1 })
  const ids = await makeItems(sandbox, 1)
  await sandbox.idle()
  const before = bodiesSent(sandbox).length
  await sandbox.control('POST', '/clock/advance', { by: '5m' })

  const [{ job, attempts }] = await jobs(sandbox)

  expect([before, idsSent(sandbox)]).toEqual([0, ids])
  expect([job.status, attempts.length]).toEqual(['success', 2])
  expect(attempts[0]).toMatchObject({
    status: null,
    reason: 'dropped_by_fault',
    response: null,
    next_due_at: '2026-01-01T00:05:00.000Z',
    faults: [{ kind: 'drop' }],
  })
})

test('the fault "lost-answer" drops the response of the receiver', async () => {
  const sandbox = await withDeliveryFault({ kind: 'lost-answer', times: 1 })
  const [id = ''] = await makeItems(sandbox, 1)
  await sandbox.control('POST', '/clock/advance', { by: '5m' })

  const [{ job, attempts }] = await jobs(sandbox)

  expect([idsSent(sandbox), job.status, attempts.length]).toEqual([[id, id], 'success', 2])
  expect(attempts[0]).toMatchObject({ status: null, reason: 'header_timeout', response: null })
  expect(statusesOf(attempts[0].others)).toEqual([200])
})

test.each([
  [{ set: { '/items/amount': 1, '/items/new': [] } }, { amount: 1, new: [] }],
  [{ set: { '/items/nothing/here': 1 } }, {}],
])('the fault "modified-body" sends a body with %j and records the sent bytes', async (settings, changed) => {
  const sandbox = await withDeliveryFault({ kind: 'modified-body', times: 1, ...settings })
  const { body: made } = await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const [{ attempts }] = await jobs(sandbox)

  const [sent = ''] = bodiesSent(sandbox)
  expect(JSON.parse(sent)).toMatchObject({ items: changed })
  expect(Object.keys(JSON.parse(sent).items)).toEqual(expect.arrayContaining(Object.keys(made.object)))
  expect(attempts[0].request.body).toBe(sent)
})

test.each([
  [{ body: '<xml/>' }, '<xml/>'],
  [{ body: { a: 1 }, set: { '/b': 2 } }, '{"a":1,"b":2}'],
  [{ body: null }, 'null'],
  [{ set: { '/__proto__': 1, '/items': 0 } }, '{"items":0,"__proto__":1}'],
])('the fault "modified-body" with %j sends %s', async (settings, expected) => {
  const sandbox = await withDeliveryFault({ kind: 'modified-body', times: 1, ...settings })
  await makeItems(sandbox, 1)
  await sandbox.idle()

  expect(bodiesSent(sandbox)).toEqual([expected])
})

test('the fault "modified-body" keeps the signature of the original bytes', async () => {
  const fault = { kind: 'modified-body', body: 'forged', times: 1 }
  const sandbox = await withDeliveryFault(fault, (attempt) => (attempt === 0 ? 500 : 200))
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9' })
  await makeItems(sandbox, 1)
  await sandbox.control('POST', '/clock/advance', { by: '5m' })

  const [, first, second] = sandbox.transport.messages

  expect(first?.headers['Webhooks-signature']).toBe(second?.headers['Webhooks-signature'])
})

test.each([
  [{}, 1],
  [{ revisions_back: 9 }, 0],
])('the fault "stale-body" with %j sends an earlier revision', async (settings, revision) => {
  const sandbox = await withDeliveryFault({ kind: 'stale-body', match: { state: 'completed' }, ...settings })
  const [id = ''] = await makeItems(sandbox, 1)
  await sandbox.control('PATCH', `/objects/items/${id}`, { amount: 7 })
  await sandbox.control('PATCH', `/objects/items/${id}`, { state: 'completed' })
  await sandbox.idle()

  const sent = bodiesSent(sandbox)

  expect(sent.length).toBe(3)
  expect(sent[2]).toBe(sent[revision])
  expect((await jobs(sandbox)).at(-1).attempts[0].request.body).toBe(sent[revision])
})

test('the fault "delay" delays one delivery in real time but does not delay a later delivery', async () => {
  const sandbox = await withDeliveryFault({ kind: 'delay', delay_ms: 500, times: 1 })
  const [late = '', early = ''] = await makeItems(sandbox, 2)
  const advanced = sandbox.control('POST', '/clock/advance', { by: '1h' })
  await aWhile(sandbox)
  sandbox.realTime.move(499)
  await aWhile(sandbox)
  const before = idsSent(sandbox)
  sandbox.realTime.move(1)
  await advanced

  const [{ attempts }] = await jobs(sandbox)

  expect([before, idsSent(sandbox)]).toEqual([[early], [early, late]])
  // The delayed attempt starts a millisecond late, because the earlier delivery has moved the clock.
  expect(attempts[0].due_at).toEqual(new Date(START).toISOString())
  expect(attempts[0].started_at).toEqual(new Date(START + 1).toISOString())
})

test('two faults apply to a delivery in the order of their creation', async () => {
  const sandbox = await withDeliveryFault({ kind: 'lost-answer', times: 1 })
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'duplicate', times: 1 })
  await makeItems(sandbox, 1)
  await sandbox.idle()

  const [{ attempts }] = await jobs(sandbox)

  expect(attempts[0].faults.map(({ kind }: { kind: string }) => kind)).toEqual(['lost-answer', 'duplicate'])
  expect([attempts[0].reason, bodiesSent(sandbox).length]).toEqual(['header_timeout', 2])
  expect(statusesOf(attempts[0].others)).toEqual([200, null, 200])
})

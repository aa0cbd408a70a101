import { expect, test } from 'vitest'
import { type ApiFaultKind, type DeliveryFaultKind, faultKinds } from '../../../../spec/faults.ts'
import {
  atRest,
  aWhile,
  bodiesSent,
  idsSent,
  makeItems,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'
import { tokenOf } from '../../../support/requests.ts'

/** What became of the notifications of an item with the amounts 1 and 2. */
interface Deliveries {
  /** The amounts that were sent before any time passed, and after a second. */
  readonly atOnce: readonly number[]
  readonly inTheEnd: readonly number[]
  /** Why attempts failed. */
  readonly failures: readonly string[]
  /** How many were under way together at most. */
  readonly together: number
}

const DELIVERED: Deliveries = { atOnce: [1, 2], inTheEnd: [1, 2], failures: [], together: 1 }

const DELIVERY_EFFECTS: {
  readonly [Kind in DeliveryFaultKind]: { readonly settings?: object; readonly effect: Partial<Deliveries> }
} = {
  duplicate: { effect: { atOnce: [1, 1, 2, 2], inTheEnd: [1, 1, 2, 2] } },
  'concurrent-duplicate': { effect: { atOnce: [1, 1, 2, 2], inTheEnd: [1, 1, 2, 2], together: 2 } },
  reorder: { effect: { atOnce: [2, 1], inTheEnd: [2, 1] } },
  delay: { settings: { delay_ms: 500 }, effect: { atOnce: [] } },
  drop: {
    effect: { atOnce: [], inTheEnd: [], failures: ['dropped_by_fault', 'dropped_by_fault'], together: 0 },
  },
  'lost-answer': { effect: { failures: ['header_timeout', 'header_timeout'] } },
  'modified-body': {
    settings: { set: { '/items/amount': 9 } },
    effect: { atOnce: [9, 9], inTheEnd: [9, 9] },
  },
  'stale-body': { effect: { atOnce: [1, 1], inTheEnd: [1, 1] } },
}

/** What the Show of an item with the amounts 1 and 2 answers. */
interface Answer {
  /** Whether it waits for a fault. */
  readonly held: boolean
  /** Null if the connection was cut. */
  readonly status: number | null
  readonly amount?: number | undefined
  readonly retryAfter: string | null
}

const ANSWERED: Answer = { held: false, status: 200, amount: 2, retryAfter: null }

const API_EFFECTS: {
  readonly [Kind in ApiFaultKind]: { readonly settings?: object; readonly effect: Partial<Answer> }
} = {
  status: { settings: { status: 418 }, effect: { status: 418, amount: undefined } },
  delay: { settings: { delay_ms: 500 }, effect: { held: true } },
  hang: { effect: { held: true, status: null, amount: undefined } },
  reset: { effect: { status: null, amount: undefined } },
  'stale-show': { effect: { amount: 1 } },
  'modified-show': { settings: { set: { '/items/amount': 9 } }, effect: { amount: 9 } },
  'rate-limit': { effect: { status: 429, amount: undefined, retryAfter: '1' } },
  'expired-token': { effect: { status: 401, amount: undefined } },
}

test.each([
  ['delivery', DELIVERY_EFFECTS],
  ['api', API_EFFECTS],
] as const)('every kind of fault of %s has its effect here', (on, effects) => {
  expect(Object.keys(effects)).toEqual(Object.keys(faultKinds[on]))
})

test('without a fault each notification is sent once, in order', async () => {
  expect(await deliver()).toEqual(DELIVERED)
})

test.each(Object.entries(DELIVERY_EFFECTS))(
  'deliveries go wrong by %s',
  async (kind, { settings, effect }) => {
    expect(await deliver({ on: 'delivery', kind, ...settings })).toEqual({ ...DELIVERED, ...effect })
    expect(effect).not.toEqual({})
  },
)

test('without a fault a call is answered at once', async () => {
  expect(await show()).toEqual(ANSWERED)
})

test.each(Object.entries(API_EFFECTS))('calls go wrong by %s', async (kind, { settings, effect }) => {
  expect(await show({ on: 'api', kind, ...settings })).toEqual({ ...ANSWERED, ...effect })
  expect(effect).not.toEqual({})
})

async function deliver(fault?: object): Promise<Deliveries> {
  let [underWay, together] = [0, 0]
  const sandbox = testSandbox({
    script: async (_, index) => {
      if (index === 0) return 200
      together = Math.max(together, ++underWay)
      await Promise.resolve()
      underWay--
      return 200
    },
  })
  await sandbox.register()
  if (fault) await sandbox.control('POST', '/faults', fault)
  const { body } = await sandbox.control('POST', '/objects/items', { amount: 1 })
  await sandbox.control('PATCH', `/objects/items/${body.id}`, { amount: 2 })
  await aWhile(sandbox)
  const amounts = () => bodiesSent(sandbox).map((sent): number => JSON.parse(sent).items.amount)
  const atOnce = amounts()
  sandbox.realTime.move(1_000)
  await atRest(sandbox)
  const failures = sandbox.attempts.flatMap(({ reason }) => reason ?? [])
  return { atOnce, inTheEnd: amounts(), failures, together }
}

async function show(fault?: object): Promise<Answer> {
  const sandbox = testSandbox()
  const { body } = await sandbox.control('POST', '/objects/items', { amount: 1 })
  await sandbox.control('PATCH', `/objects/items/${body.id}`, { amount: 2 })
  const headers = { authorization: `Bearer ${await tokenOf(sandbox)}` }
  if (fault) await sandbox.control('POST', '/faults', fault)
  const asked = sandbox.service(new Request(`http://service.test/items/${body.id}`, { headers }))
  const settling = sandbox.control('POST', '/settle', { timeout_ms: 10 })
  await aWhile(sandbox)
  sandbox.realTime.move(10)
  const { settled } = (await settling).body
  sandbox.realTime.move(1_000)
  await aWhile(sandbox)
  await sandbox.control('DELETE', '/faults')
  const answer = await asked
  const text = await answer.text()
  return {
    held: !settled,
    status: answer.type === 'error' ? null : answer.status,
    amount: text === '' ? undefined : JSON.parse(text).items?.amount,
    retryAfter: answer.headers.get('retry-after'),
  }
}

async function withReorder(settings: object = {}): Promise<TestSandbox & { readonly fault: string }> {
  const sandbox = testSandbox()
  await sandbox.register()
  const { body } = await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'reorder', ...settings })
  return { ...sandbox, fault: body.id }
}

const counts = async ({ control }: TestSandbox) =>
  (await control('GET', '/faults')).body.faults.map(({ matched, applied }: Record<string, unknown>) => [
    matched,
    applied,
  ])

test('reorder has two notifications of different objects change places', async () => {
  const sandbox = await withReorder({ times: 1 })
  const [first, second, third] = await makeItems(sandbox, 3)
  await sandbox.idle()

  expect([idsSent(sandbox), await counts(sandbox)]).toEqual([[second, first, third], [[1, 1]]])
})

test('reorder has two notifications of the same object change places', async () => {
  const sandbox = await withReorder({ times: 1 })
  const [id = ''] = await makeItems(sandbox, 1)
  await sandbox.control('PATCH', `/objects/items/${id}`, { state: 'completed' })
  await sandbox.idle()

  expect(bodiesSent(sandbox).map((body) => JSON.parse(body).items.state)).toEqual(['completed', 'pending'])
})

test('reorder without a number of times goes on by pairs', async () => {
  const sandbox = await withReorder()
  const [a, b, c, d] = await makeItems(sandbox, 4)
  await sandbox.idle()

  expect([idsSent(sandbox), await counts(sandbox)]).toEqual([[b, a, d, c], [[2, 2]]])
})

test('reorder waits for a later one as long as it is told, in real time', async () => {
  const sandbox = await withReorder({ delay_ms: 300 })
  const [id] = await makeItems(sandbox, 1)
  await aWhile(sandbox)
  sandbox.realTime.move(299)
  await aWhile(sandbox)
  const before = idsSent(sandbox)
  sandbox.realTime.move(1)
  await atRest(sandbox)

  expect([before, idsSent(sandbox)]).toEqual([[], [id]])
})

test.each(['/faults', undefined])(
  'what reorder holds back goes on when the fault is removed (%s)',
  async (path) => {
    const sandbox = await withReorder()
    const [id] = await makeItems(sandbox, 1)
    const before = idsSent(sandbox)
    await sandbox.control('DELETE', path ?? `/faults/${sandbox.fault}`)
    await atRest(sandbox)

    expect([before, idsSent(sandbox)]).toEqual([[], [id]])
  },
)

test('what reorder holds back holds up neither an advance nor idleness', async () => {
  const sandbox = await withReorder()
  await makeItems(sandbox, 1)

  const { body } = await sandbox.control('POST', '/clock/advance', { by: '30d' })
  await sandbox.idle()

  expect([body.attempts, idsSent(sandbox)]).toEqual([0, []])
})

test('what reorder holds back is dropped when the registration is disabled', async () => {
  const sandbox = await withReorder()
  await makeItems(sandbox, 1)
  await sandbox.call('PATCH', `/webhooks/${sandbox.store.jobs()[0]?.registration_id}`, { enabled: false })
  await sandbox.control('DELETE', '/faults')
  await atRest(sandbox)

  expect([idsSent(sandbox), sandbox.attempts, sandbox.errors]).toEqual([[], [], []])
})

test('a sandbox that closes sends nothing that reorder held back, and sends it after the next start', async () => {
  const sandbox = await withReorder()
  await makeItems(sandbox, 1)

  await sandbox.close()

  expect([idsSent(sandbox), sandbox.attempts, sandbox.store.jobs()[0]?.status]).toEqual([[], [], 'pending'])
})

test('a snapshot of what reorder holds back is held back again', async () => {
  const sandbox = await withReorder()
  const [first] = await makeItems(sandbox, 1)
  const { body: snapshot } = await sandbox.control('GET', '/snapshot')

  await sandbox.control('PUT', '/snapshot', snapshot)
  await atRest(sandbox)
  const before = idsSent(sandbox)
  const [second] = await makeItems(sandbox, 1)
  await atRest(sandbox)

  expect([before, idsSent(sandbox)]).toEqual([[], [second, first]])
})

test('what two faults hold back goes on when both are removed', async () => {
  const sandbox = await withReorder()
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'reorder' })
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'delay', delay_ms: 1_000 })
  const [id] = await makeItems(sandbox, 1)

  await sandbox.control('DELETE', '/faults')
  await atRest(sandbox)

  expect(idsSent(sandbox)).toEqual([id])
})

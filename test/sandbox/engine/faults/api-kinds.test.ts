import { expect, test } from 'vitest'
import { atRest, type TestSandbox } from '../../../support/test-sandbox.ts'
import { withApiFault } from '../../../support/faults.ts'
import { tokenOf } from '../../../support/requests.ts'

const ITEMS = { match: { object_type: 'items' } }

async function lastRequest({ control }: TestSandbox) {
  return (await control('GET', '/requests?limit=1')).body.requests[0]
}

test.each([
  [{ status: 503 }, 503, '{"message":"A fault answers 503"}'],
  [{ status: 200, body: { odd: true } }, 200, '{"odd":true}'],
  [{ status: 500, body: '<h1>Oops</h1>' }, 500, '<h1>Oops</h1>'],
  [{ status: 204 }, 204, ''],
  [{ status: 304, body: 'x' }, 304, ''],
])('the fault "status" with %j answers %d and changes nothing', async (settings, status, text) => {
  const { ask, ...sandbox } = await withApiFault({ kind: 'status', ...ITEMS, ...settings })

  const answer = await ask('/items', { method: 'POST' })

  expect([answer.status, await answer.text(), sandbox.store.length, sandbox.errors]).toEqual([
    status,
    text,
    7,
    [],
  ])
  expect(await lastRequest(sandbox)).toMatchObject({
    operation: 'createItem',
    status,
    faults: [{ id: sandbox.fault, kind: 'status' }],
  })
})

test('the fault "delay" makes a call wait in real time', async () => {
  const { ask, path, revisions, ...sandbox } = await withApiFault({ kind: 'delay', delay_ms: 250, ...ITEMS })
  const asked = ask(path)
  await atRest(sandbox)
  const before = await lastRequest(sandbox)
  const changed = await sandbox.control('PATCH', `/objects${path}`, { amount: 400 })
  sandbox.realTime.move(250)

  const answer = await asked

  expect([before.status, answer.status]).toEqual([null, 200])
  expect(await answer.json()).toEqual({ items: changed.body.object })
  expect([await lastRequest(sandbox), revisions.length]).toMatchObject([{ status: 200, took_ms: 250 }, 3])
})

test.each([
  ['the fault is removed', (sandbox: TestSandbox, id: string) => sandbox.control('DELETE', `/faults/${id}`)],
  ['faults are cleared', (sandbox: TestSandbox) => sandbox.control('DELETE', '/faults')],
  ['the caller disconnects', (_: TestSandbox, __: string, caller: AbortController) => caller.abort()],
  ['the world is reset', (sandbox: TestSandbox) => sandbox.control('POST', '/reset')],
  ['the sandbox closes', (sandbox: TestSandbox) => sandbox.close()],
])('the fault hang sends no response until %s', async (_, end) => {
  const { ask, path, ...sandbox } = await withApiFault({ kind: 'hang', ...ITEMS })
  const caller = new AbortController()
  let answered = false
  const asked = ask(path, { signal: caller.signal }).then((answer) => {
    answered = true
    return answer
  })
  await atRest(sandbox)
  sandbox.realTime.move(3_600_000)
  await atRest(sandbox)
  const before = answered

  await Promise.resolve(end(sandbox, sandbox.fault, caller))

  expect([before, (await asked).type]).toEqual([false, 'error'])
})

test('the fault "hang" blocks no due job, and POST /settle reports the held call', async () => {
  const { ask, path, ...sandbox } = await withApiFault({ kind: 'hang', ...ITEMS })
  const asked = ask(path)
  await atRest(sandbox)

  const { body: advanced } = await sandbox.control('POST', '/clock/advance', { by: '1d' })
  const settling = sandbox.control('POST', '/settle', { timeout_ms: 10 })
  await sandbox.control('GET', '/clock')
  sandbox.realTime.move(10)
  const { body } = await settling
  await sandbox.control('DELETE', '/faults')

  expect(advanced.attempts).toBe(0)
  expect(body).toEqual({ settled: false, waiting_for: [{ what: 'held_by_fault', count: 1 }] })
  expect((await asked).type).toBe('error')
})

test('the fault "reset" cuts the connection and changes nothing', async () => {
  const { ask, ...sandbox } = await withApiFault({ kind: 'reset', ...ITEMS })

  const answer = await ask('/items', { method: 'POST' })

  expect([answer.type, sandbox.store.length]).toEqual(['error', 7])
  expect(await lastRequest(sandbox)).toMatchObject({ status: null, by: null, faults: [{ kind: 'reset' }] })
})

test.each([
  [{}, 1],
  [{ revisions_back: 50 }, 0],
])('the fault "stale-show" with %j shows an earlier revision', async (settings, index) => {
  const { ask, path, revisions } = await withApiFault({ kind: 'stale-show', ...settings })

  const answer = await ask(path)

  expect([answer.status, await answer.json()]).toEqual([200, revisions[index]])
})

test('with the fault stale-show, the Show operation returns a virtual account without a wrapper', async () => {
  const { ask, ...sandbox } = await withApiFault({ kind: 'stale-show' })
  const { body } = await sandbox.control('POST', '/objects/virtual_accounts', {})
  await sandbox.control('POST', `/objects/virtual_accounts/${body.id}/transitions`, { to: 'active' })

  expect(await (await ask(`/virtual_accounts/${body.id}`)).json()).toEqual(body.object)
})

test.each(['stale-show', 'modified-show'])('the fault %s ignores calls without an object', async (kind) => {
  const settings = kind === 'modified-show' ? { body: {} } : {}
  const { ask, path, ...sandbox } = await withApiFault({ kind, ...settings })

  const answers = [
    await ask('/webhooks'),
    await ask(path, { method: 'PATCH', body: '{}', headers: { 'content-type': 'application/json' } }),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await sandbox.control('GET', '/faults')).body.faults[0]).toMatchObject({ matched: 0, applied: 0 })
})

test('the fault "modified-show" changes fields of the returned object', async () => {
  const { ask, path, revisions } = await withApiFault({ kind: 'modified-show', set: { '/items/amount': 1 } })

  const [known, unknown] = [await ask(path), await ask('/items/unknown')]

  const { items } = revisions[2] ?? {}
  expect([known.status, await known.json(), unknown.status]).toEqual([
    200,
    { items: { ...items, amount: 1 } },
    404,
  ])
})

test.each(['not-found', 'not-authorized'])(
  'the fault "modified-show" with a body also applies to an unknown id when the reading "unknown-object" is %s',
  async (option) => {
    const { ask, path, service } = await withApiFault(
      { kind: 'modified-show', body: { items: { id: 'ghost' } } },
      { 'unknown-object': option },
    )

    const answers = [await ask(path), await ask('/items/ghost')]
    const refused = await service(new Request(`http://service.test${path}`))

    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual([
      '{"items":{"id":"ghost"}}',
      '{"items":{"id":"ghost"}}',
    ])
    expect([answers[1]?.status, answers[1]?.headers.get('content-type'), refused.status]).toEqual([
      200,
      'application/json',
      401,
    ])
  },
)

test.each([
  [{}, '1'],
  [{ retry_after: 0 }, '0'],
])('the fault "rate-limit" with %j responds 429 with a Retry-After header', async (settings, seconds) => {
  const { ask, path } = await withApiFault({ kind: 'rate-limit', times: 1, ...ITEMS, ...settings })

  const [limited, next] = [await ask(path), await ask(path)]

  expect([limited.status, limited.headers.get('retry-after'), next.status]).toEqual([429, seconds, 200])
})

test('the fault "expired-token" rejects valid tokens in each error format of the API and accepts new tokens', async () => {
  const { ask, path, ...sandbox } = await withApiFault({ kind: 'expired-token' })

  const answers = [await ask('/webhooks'), await ask('/callbacks'), await ask(path)]

  expect(await Promise.all(answers.map(async (answer) => [answer.status, await answer.json()]))).toEqual([
    [403, { status: 'Forbidden', message: 'token expired' }],
    [401, { message: 'token expired' }],
    [401, { message: 'token expired' }],
  ])
  expect(await tokenOf(sandbox)).toMatch(/./)
  expect((await sandbox.control('GET', '/faults')).body.faults[0]).toMatchObject({ matched: 3, applied: 3 })
})

test('two faults apply to a call in the order of their creation', async () => {
  const { ask, path, ...sandbox } = await withApiFault({ kind: 'stale-show' })
  await sandbox.control('POST', '/faults', {
    on: 'api',
    kind: 'modified-show',
    set: { '/items/name': 'odd' },
  })

  const { items } = (await (await ask(path)).json()) as { items: Record<string, unknown> }

  expect([items['amount'], items['name']]).toEqual([200, 'odd'])
})

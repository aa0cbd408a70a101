import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  atRest,
  makeItems,
  sandboxWithJob,
  type TestSandbox,
  testSandbox,
} from '../../../support/test-sandbox.ts'
import { faultCounts, withApiFault, withDeliveryFault } from '../../../support/faults.ts'

const ITEMS = { match: { object_type: 'items' } }

test('the fault "delay" at the response shows the object state from before the delay', async () => {
  const settings = { kind: 'delay', delay_ms: 60_000, at: 'answer', ...ITEMS }
  const { ask, path, revisions, ...sandbox } = await withApiFault(settings)
  const asked = ask(path)
  await isHeld(sandbox)
  await sandbox.control('PATCH', `/objects${path}`, { amount: 400 })
  sandbox.realTime.move(60_000)

  const answer = await asked

  expect([answer.status, await answer.json()]).toEqual([200, revisions[2]])
})

test.each(['reset', 'hang'])(
  'with the fault %s at the response, a call makes its change and then loses its connection',
  async (kind) => {
    const { ask, path, ...sandbox } = await withApiFault({ kind, at: 'answer', ...ITEMS })
    const headers = { 'content-type': 'application/json' }
    const asked = ask(path, { method: 'PATCH', body: '{"amount":400}', headers })
    if (kind === 'hang') {
      await isHeld(sandbox)
      await sandbox.control('DELETE', '/faults')
    }

    const { type } = await asked
    const { body } = await sandbox.control('GET', `/objects${path}`)
    expect([type, body.object.amount]).toEqual(['error', 400])
  },
)

test('the fault "delay" in the body sends the first half at once and the remainder later', async () => {
  const settings = { kind: 'delay', delay_ms: 60_000, at: 'body', ...ITEMS }
  const { ask, path, revisions, ...sandbox } = await withApiFault(settings)
  const answer = await ask(path)
  const pieces = piecesOf(answer)
  const first = await pieces.next()
  const second = pieces.next()
  await isHeld(sandbox)
  await sandbox.control('PATCH', `/objects${path}`, { amount: 400 })
  sandbox.realTime.move(60_000)

  const text = `${first.value}${(await second).value}`

  expect([answer.status, first.value?.length, JSON.parse(text), (await pieces.next()).done]).toEqual([
    200,
    Math.ceil(text.length / 2),
    revisions[2],
    true,
  ])
})

test.each(['reset', 'hang'])('the fault %s in the body stops it after its first half', async (kind) => {
  const { ask, path, revisions, ...sandbox } = await withApiFault({ kind, at: 'body', ...ITEMS })
  const pieces = piecesOf(await ask(path))
  const first = await pieces.next()
  const rest = pieces.next().then(
    () => 'more',
    () => 'broken off',
  )
  await sandbox.control('DELETE', '/faults')

  expect([JSON.stringify(revisions[2]).startsWith(first.value ?? 'nothing'), await rest]).toEqual([
    true,
    'broken off',
  ])
})

test('the fault "hang" in the body ends when the reader stops', async () => {
  const { ask, path, ...sandbox } = await withApiFault({ kind: 'hang', at: 'body', ...ITEMS })
  const reader = (await ask(path)).body?.getReader()
  await reader?.read()
  const waiting = reader?.read()
  await reader?.cancel()

  const { body } = await sandbox.control('POST', '/settle', {})

  expect([(await waiting)?.done, body.settled]).toEqual([true, true])
})

async function isHeld(sandbox: Pick<TestSandbox, 'control' | 'realTime'>): Promise<void> {
  let settled = true
  while (settled) {
    await immediate()
    const settling = sandbox.control('POST', '/settle', { timeout_ms: 10 })
    await sandbox.control('GET', '/clock')
    sandbox.realTime.move(10)
    ;({ settled } = (await settling).body)
  }
}

async function* piecesOf({ body }: Response): AsyncGenerator<string, undefined> {
  for await (const piece of body ?? []) yield Buffer.from(piece).toString()
  return undefined
}

test.each([
  ['stale-body at the first revision', { kind: 'stale-body' }],
  ['modified-body without an existing field', { kind: 'modified-body', set: { '/nope/x': 1 } }],
])('the fault %s does not apply and is not counted', async (_, fault) => {
  const sandbox = await withDeliveryFault({ ...fault, times: 1 })
  await makeItems(sandbox, 1)
  await atRest(sandbox)

  expect([await faultCounts(sandbox), sandbox.attempts[0]?.faults]).toEqual([[[0, 0]], undefined])
})

test('the fault "stale-show" requires an older object version, and the fault "expired-token" requires a token', async () => {
  const sandbox = testSandbox()
  const [id = ''] = await makeItems(sandbox, 1)
  await sandbox.control('POST', '/faults', { on: 'api', kind: 'stale-show' })
  await sandbox.control('POST', '/faults', { on: 'api', kind: 'expired-token' })
  const bare = await sandbox.service(new Request('http://service.test/webhooks'))

  expect([bare.status, await faultCounts(sandbox)]).toEqual([
    403,
    [
      [0, 0],
      [0, 0],
    ],
  ])
  expect((await sandbox.call('GET', `/items/${id}`)).body).toEqual({ message: 'token expired' })
})

test('the fault "reorder" does not postpone a manual resend', async () => {
  const sandbox = await sandboxWithJob(() => 500)
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'reorder' })

  const { status, body } = await sandbox.control('POST', `/jobs/${sandbox.job}/resend`)

  expect(status).toBe(200)
  expect(body.attempts.map(({ manual }: { manual: boolean }) => manual)).toEqual([false, true])
})

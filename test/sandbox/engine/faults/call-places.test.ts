import { setImmediate as immediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'
import { withFault } from '../../../support/with-fault.ts'

const ITEMS = { match: { object_type: 'items' } }

test('delay at the answer shows the object as it was before it waited', async () => {
  const settings = { kind: 'delay', delay_ms: 60_000, at: 'answer', ...ITEMS }
  const { ask, path, revisions, ...sandbox } = await withFault(settings)
  const asked = ask(path)
  await isHeld(sandbox)
  await sandbox.control('PATCH', `/objects${path}`, { amount: 400 })
  sandbox.realTime.move(60_000)

  const answer = await asked

  expect([answer.status, await answer.json()]).toEqual([200, revisions[2]])
})

test.each([
  ['reset', 'answer'],
  ['hang', 'answer'],
])('%s at the %s does what the call asks for, and cuts the connection', async (kind, at) => {
  const { ask, path, ...sandbox } = await withFault({ kind, at, ...ITEMS })
  const headers = { 'content-type': 'application/json' }
  const asked = ask(path, { method: 'PATCH', body: '{"amount":400}', headers })
  if (kind === 'hang') {
    await isHeld(sandbox)
    await sandbox.control('DELETE', '/faults')
  }

  const { type } = await asked
  const { body } = await sandbox.control('GET', `/objects${path}`)
  expect([type, body.object.amount]).toEqual(['error', 400])
})

test('delay in the body sends its first half, and the rest later', async () => {
  const { ask, path, revisions, ...sandbox } = await withFault({
    kind: 'delay',
    delay_ms: 60_000,
    at: 'body',
    ...ITEMS,
  })
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

test.each(['reset', 'hang'])('%s in the body breaks off after its first half', async (kind) => {
  const { ask, path, revisions, ...sandbox } = await withFault({ kind, at: 'body', ...ITEMS })
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

test('hang in the body ends when nobody reads it any more', async () => {
  const { ask, path, ...sandbox } = await withFault({ kind: 'hang', at: 'body', ...ITEMS })
  const reader = (await ask(path)).body?.getReader()
  await reader?.read()
  const waiting = reader?.read()
  await reader?.cancel()

  const { body } = await sandbox.control('POST', '/settle', {})

  expect([(await waiting)?.done, body.settled]).toEqual([true, true])
})

test('another fault changes a body before the connection is cut in the middle of it', async () => {
  const { ask, path, ...sandbox } = await withFault({ kind: 'reset', at: 'body', ...ITEMS })
  await sandbox.control('POST', '/faults', { on: 'api', kind: 'modified-show', body: { odd: 1 } })

  const first = await piecesOf(await ask(path)).next()

  expect(first.value).toBe('{"odd')
})

test.each([
  ['status', { status: 503 }],
  ['stale-show', {}],
])('%s takes no place in a call', async (kind, settings) => {
  const { control } = testSandbox()

  const { status, body } = await control('POST', '/faults', { on: 'api', kind, at: 'body', ...settings })

  expect([status, body.error.field]).toEqual([422, 'at'])
})

/** Waits until a fault holds a call. */
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

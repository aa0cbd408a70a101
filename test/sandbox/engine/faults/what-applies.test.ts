import { expect, test } from 'vitest'
import { atRest, bodiesSent, makeItems } from '../../../support/at-rest.ts'
import { testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

async function withFault(fault: object): Promise<TestSandbox> {
  const sandbox = testSandbox()
  await sandbox.register()
  await sandbox.control('POST', '/faults', { on: 'delivery', ...fault })
  return sandbox
}

const countsOf = async ({ control }: TestSandbox) =>
  (await control('GET', '/faults')).body.faults.map(({ matched, applied }: Record<string, number>) => [
    matched,
    applied,
  ])

test('reorder pairs deliveries as they are triggered, however quickly they are answered', async () => {
  const sandbox = await withFault({ kind: 'reorder' })
  const names = ['1', '2', '3', '4', '5', '6']

  for (const name of names) await sandbox.control('POST', '/objects/items', { name })
  await atRest(sandbox)
  await atRest(sandbox)

  const sent = bodiesSent(sandbox).map((body) => JSON.parse(body).items.name)
  expect(new Set(sent)).toEqual(new Set(names))
  for (const [first, second] of [
    ['2', '1'],
    ['4', '3'],
    ['6', '5'],
  ])
    expect(sent.indexOf(first)).toBeLessThan(sent.indexOf(second))
  expect(await countsOf(sandbox)).toEqual([[3, 3]])
})

test.each([
  ['stale-body, at the first revision', { kind: 'stale-body' }],
  ['modified-body, where nothing is there to set', { kind: 'modified-body', set: { '/nope/x': 1 } }],
])('%s, does not apply, and is not counted', async (_, fault) => {
  const sandbox = await withFault({ ...fault, times: 1 })
  await makeItems(sandbox, 1)
  await atRest(sandbox)

  expect([await countsOf(sandbox), sandbox.attempts[0]?.faults]).toEqual([[[0, 0]], undefined])
})

test('stale-show and expired-token do not apply where nothing is older, or no token came', async () => {
  const sandbox = testSandbox()
  const [id = ''] = await makeItems(sandbox, 1)
  await sandbox.control('POST', '/faults', { on: 'api', kind: 'stale-show' })
  await sandbox.control('POST', '/faults', { on: 'api', kind: 'expired-token' })
  const bare = await sandbox.service(new Request('http://service.test/webhooks'))

  expect([bare.status, await countsOf(sandbox)]).toEqual([
    403,
    [
      [0, 0],
      [0, 0],
    ],
  ])
  expect((await sandbox.call('GET', `/items/${id}`)).body).toEqual({ message: 'token expired' })
})

test('what is resent by hand is not held back', async () => {
  const sandbox = testSandbox({ script: (_, index) => (index === 0 ? 200 : 500) })
  await sandbox.register()
  await makeItems(sandbox, 1)
  await atRest(sandbox)
  await sandbox.control('POST', '/faults', { on: 'delivery', kind: 'reorder' })

  const { status, body } = await sandbox.control('POST', `/jobs/${sandbox.store.jobs()[0]?.id}/resend`)

  expect([status, body.attempts.map(({ manual }: { manual: boolean }) => manual)]).toEqual([
    200,
    [false, true],
  ])
})

import { expect, test } from 'vitest'
import { type TestSandbox, testSandbox } from '../../../support/test-sandbox.ts'
import { realTime } from '../../../../sandbox/adapters/real-time.ts'
import { createRequestLog } from '../../../../sandbox/api/control/requests.ts'

test.each([
  ['GET', '/checks', undefined],
  ['POST', '/check-runs', {}],
])('a sandbox without checks answers 409 to %s %s', async (method, path, body) => {
  const { status, body: refusal } = await testSandbox().control(method, path, body)

  expect([status, refusal.error.code]).toEqual([409, 'no_judge'])
  expect(refusal.error.hint).toContain('npx hookbench up')
})

test('GET and DELETE of a run answer 404 for an unknown id', async () => {
  const sandbox = testSandbox()

  expect((await sandbox.control('GET', '/runs')).body).toEqual({ runs: [] })
  expect((await sandbox.control('GET', '/runs/x')).status).toBe(404)
  expect((await sandbox.control('DELETE', '/runs/x')).status).toBe(404)
})

const [A, B] = ['3f9c1d2a-a', 'b47e8051-b']

const claim = (sandbox: TestSandbox, id: string, by = `a run on ${id}`) =>
  sandbox.control('PUT', `/claims/${id}`, { by })

test('a second claim on a world is rejected with the owner and the time of the first claim', async () => {
  const sandbox = testSandbox()
  const first = await claim(sandbox, A, 'a run on ci-7')
  sandbox.realTime.move(5_000)
  const { status, body } = await claim(sandbox, B)

  const [by, since] = ['a run on ci-7', '2026-01-01T00:00:00.000Z']
  expect(first).toEqual({ status: 200, body: { id: A, by, since, lapses_at: '2026-01-01T00:00:15.000Z' } })
  expect([status, body.error.code]).toEqual([409, 'run_under_way'])
  expect(body.error.message).toContain(`${by} has used this world since ${since}`)
})

test('a claim expires 15 seconds after its last renewal', async () => {
  const sandbox = testSandbox()
  await claim(sandbox, A)
  sandbox.realTime.move(14_999)
  const again = await claim(sandbox, A)
  await sandbox.control('POST', '/reset')
  sandbox.realTime.move(14_999)
  const refused = await claim(sandbox, B)
  sandbox.realTime.move(1)
  const lapsed = await claim(sandbox, B)

  expect(again.body).toMatchObject({
    since: '2026-01-01T00:00:00.000Z',
    lapses_at: '2026-01-01T00:00:29.999Z',
  })
  expect([refused.status, lapsed.status]).toEqual([409, 200])
  expect((await claim(sandbox, A)).status).toBe(409)
})

test('a claim is released only by its own run', async () => {
  const sandbox = testSandbox()
  await claim(sandbox, A)

  expect((await sandbox.control('DELETE', `/claims/${B}`)).status).toBe(404)
  expect((await claim(sandbox, B)).status).toBe(409)
  expect((await sandbox.control('DELETE', `/claims/${A}`)).body).toMatchObject({ id: A })
  expect((await claim(sandbox, B)).status).toBe(200)
})

test('a claimed world is not idle', async () => {
  const sandbox = testSandbox()
  await claim(sandbox, A)
  const claimed = sandbox.hibernation.read()
  sandbox.realTime.move(15_000)

  expect([claimed === undefined, sandbox.hibernation.read() === undefined]).toEqual([true, false])
})

const CALL = { at: 0, method: 'GET', path: '/items', query: '', user_agent: null }

test('the request log keeps fewer calls when the calls are long', () => {
  const log = createRequestLog(realTime)

  for (let count = 0; count < 20_000; count++) log.begin({ ...CALL, path: '/'.repeat(4_096) })
  const listed = log.list()

  expect(listed.length).toBeLessThan(4_000)
  expect(listed.at(-1)?.id).toBe(20_000)
})

test('two objects with the same seed have the same id', async () => {
  const [one, other] = [testSandbox(), testSandbox()]
  await other.control('POST', '/objects/items', {})

  const ids = [
    (await one.control('POST', '/objects/items?seed=7', {})).body.id,
    (await other.control('POST', '/objects/items?seed=7', {})).body.id,
    (await other.control('POST', '/objects/items?seed=8', {})).body.id,
  ]

  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})

test('two payments with the same seeds have the same object ids', async () => {
  const [one, other] = [testSandbox(), testSandbox()]
  await other.control('POST', '/payments', { kind: 'card-payin' })

  const played = await Promise.all(
    [one, other].map(async (each) => {
      const request = { kind: 'card-payin', pace: 'stepwise' }
      const { body } = await each.control('POST', '/payments?seed=7', request)
      return each.control('POST', `/payments/${body.id}/next?seed=8`)
    }),
  )

  const [first = [], second] = played.map(({ body }) =>
    body.objects.map((each: object) => JSON.stringify(each)),
  )
  expect(first.length).toBeGreaterThan(2)
  expect(second).toEqual(first)
})

test('POST /diagnosis is rejected without a data folder', async () => {
  const { status, body } = await testSandbox().control('POST', '/diagnosis')

  expect([status, body.error.code]).toEqual([409, 'no_doctor'])
})

import { expect, test } from 'vitest'
import { testSandbox, type TestSandbox } from '../../../support/test-sandbox.ts'

const [A, B] = ['3f9c1d2a-a', 'b47e8051-b']
const claim = (sandbox: TestSandbox, id: string, by = `a run on ${id}`) =>
  sandbox.control('PUT', `/claims/${id}`, { by })

test('a world that a run has claimed is refused to another, which is told who has it and since when', async () => {
  const sandbox = testSandbox()
  const first = await claim(sandbox, A, 'a run on ci-7')
  sandbox.realTime.move(5_000)
  const { status, body } = await claim(sandbox, B)

  expect(first).toEqual({
    status: 200,
    body: {
      id: A,
      by: 'a run on ci-7',
      since: '2026-01-01T00:00:00.000Z',
      lapses_at: '2026-01-01T00:00:15.000Z',
    },
  })
  expect([status, body.error]).toEqual([
    409,
    {
      code: 'run_under_way',
      message: 'Cannot begin: a run on ci-7 has used this world since 2026-01-01T00:00:00.000Z',
      hint: 'wait for it; if it was killed, for 15 seconds',
    },
  ])
})

test('a claim stays as long as its run claims the world again, whatever is done to the world, and lapses by itself', async () => {
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

test('a claim ends when its run releases it, and nobody else can', async () => {
  const sandbox = testSandbox()
  await claim(sandbox, A)

  expect((await sandbox.control('DELETE', `/claims/${B}`)).status).toBe(404)
  expect((await claim(sandbox, B)).status).toBe(409)
  expect((await sandbox.control('DELETE', `/claims/${A}`)).body).toMatchObject({ id: A })
  expect((await claim(sandbox, B)).status).toBe(200)
})

test('a world that is claimed is not closed', async () => {
  const sandbox = testSandbox()
  await claim(sandbox, A)
  const claimed = sandbox.standstill.read()
  sandbox.realTime.move(15_000)

  expect([claimed === undefined, sandbox.standstill.read() === undefined]).toEqual([true, false])
})

test.each([{}, { by: '' }, { by: 'x'.repeat(201) }, { by: 'x', more: 1 }])(
  '%j is nobody who claims a world',
  async (body) => {
    expect((await testSandbox().control('PUT', `/claims/${A}`, body)).status).toBe(422)
  },
)

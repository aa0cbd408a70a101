import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('payments are listed oldest first, in pages', async () => {
  const sandbox = testSandbox()
  const made: string[] = []
  for (let index = 0; index < 5; index++) {
    const { body } = await sandbox.control('POST', '/payments', { kind: 'card-payin', pace: 'stepwise' })
    made.push(body.id)
  }

  const queries = [
    '',
    '?limit=2',
    '?limit=2&cursor=0',
    '?limit=2&cursor=2',
    '?limit=2&cursor=4',
    '?cursor=99',
  ]
  const pages = await Promise.all(queries.map((query) => sandbox.control('GET', `/payments${query}`)))

  const inPages = pages.map(({ body: { payments, older, next_cursor } }) => [
    payments.map(({ id }: { id: string }) => made.indexOf(id)),
    older,
    next_cursor,
  ])
  expect(inPages).toEqual([
    [[0, 1, 2, 3, 4], 0, null],
    [[3, 4], 3, null],
    [[0, 1], 0, '2'],
    [[2, 3], 2, '4'],
    [[4], 4, null],
    [[], 5, null],
  ])
})

test.each(['cursor=x', 'limit=0', 'limit=201', 'limit=x', 'limit=1&limit=2'])(
  'a list of payments with %s is refused',
  async (query) => {
    const { status } = await testSandbox().control('GET', `/payments?${query}`)

    expect(status).toBe(422)
  },
)

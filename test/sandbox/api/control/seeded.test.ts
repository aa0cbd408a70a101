import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('an object that is created with a seed has the same id whatever was made before', async () => {
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

test('a payment and each step of it that are taken with a seed have the same ids whatever was made before', async () => {
  const [one, other] = [testSandbox(), testSandbox()]
  await other.control('POST', '/payments', { kind: 'card-payin' })

  const played = await Promise.all(
    [one, other].map(async (each) => {
      const { body } = await each.control('POST', '/payments?seed=7', {
        kind: 'card-payin',
        pace: 'stepwise',
      })
      return each.control('POST', `/payments/${body.id}/next?seed=8`)
    }),
  )

  const [first = [], second] = played.map(({ body }) =>
    body.objects.map((each: object) => JSON.stringify(each)),
  )
  expect(first.length).toBeGreaterThan(2)
  expect(second).toEqual(first)
})

test.each(['-1', 'x', '4294967296', '1.5'])('%s is no seed', async (seed) => {
  const { status, body } = await testSandbox().control('POST', `/objects/items?seed=${seed}`, {})

  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('seed')])
})

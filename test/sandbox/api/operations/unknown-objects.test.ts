import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'
import { ask } from '../../../support/requests.ts'

const NOT_FOUND = { status: 404, body: { errors: { id: ['not found'] } } }
const NOT_AUTHORIZED = {
  status: 401,
  body: { code: 405, message: 'Not authorized to access that record.' },
}

test.each([
  ['not-found', NOT_FOUND],
  ['not-authorized', NOT_AUTHORIZED],
])('under %s that is what every operation of objects and callbacks answers', async (option, expected) => {
  const sandbox = testSandbox({ readings: { 'unknown-object': option } })
  const { body: item } = await sandbox.control('POST', '/objects/items', {})
  const calls = [
    ['GET', '/items/nothing'],
    ['GET', '/virtual_accounts/nothing'],
    ['PATCH', '/users/nothing', {}],
    ['PATCH', '/items/nothing/make_payment', { account_id: 'x' }],
    ['POST', '/wallet_accounts/nothing/withdraw', { account_id: 'x', amount: 1 }],
    ['GET', '/users/nothing/card_accounts'],
    ['GET', '/callbacks/nothing'],
    ['PATCH', '/callbacks/nothing', { enabled: false }],
    ['DELETE', '/callbacks/nothing'],
    ['GET', '/callbacks/nothing/responses'],
  ] as const

  for (const [method, path, body] of calls)
    expect([path, await sandbox.call(method, path, body)]).toEqual([path, expected])
  expect((await sandbox.call('GET', `/items/${item.id}`)).status).toBe(200)
  expect(sandbox.errors).toEqual([])
})

test('webhooks, fields that name nobody, and bad tokens are answered as ever under not-authorized', async () => {
  const sandbox = testSandbox({ readings: { 'unknown-object': 'not-authorized' } })
  const item = { name: 'x', amount: 1, buyer_id: 'nobody', seller_id: 'nobody' }

  const webhook = await sandbox.call('GET', '/webhooks/nothing')
  const buyer = await sandbox.call('POST', '/items', item)
  const stranger = await ask(sandbox, '/items/nothing', { method: 'GET', authorization: 'Bearer x' })
  const bench = await sandbox.control('GET', '/objects/items/nothing')

  expect([webhook.status, buyer.status, bench.status]).toEqual([404, 422, 404])
  expect(stranger).toMatchObject({ status: 401, body: { message: expect.any(String) } })
  expect(stranger.body).not.toHaveProperty('code')
})

import { expect, test } from 'vitest'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'
import { notifiedTypes } from '../../../../spec/kinds.ts'
import { NEVE } from '../../../support/platform.ts'
import { ask, askFresh, withoutEffect } from '../../../support/requests.ts'

const ITEMS = '/control/objects/items'

const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

test('the control API accepts a body with 64 nesting levels', async () => {
  expect(await askFresh(ITEMS, { body: nested(64) })).toMatchObject(
    withoutEffect(422, { error: { code: 'invalid' } }),
  )
})

test('the control API rejects a compressed body', async () => {
  const headers = { 'content-encoding': 'gzip' }

  expect(await askFresh(ITEMS, { body: '{}', headers })).toMatchObject(withoutEffect(415))
})

test('POST /webhooks reports a wrong URL and a wrong type together', async () => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.call('POST', '/webhooks', {
    url: 'http://x.test/',
    object_type: 'gadgets',
  })

  expect(status).toBe(422)
  expect(body.message).toEqual(expect.stringMatching(/^URL is not HTTPS.*, Object Type gadgets /))
})

const FORM = 'application/x-www-form-urlencoded'

const JSON_TYPE = 'application/json'

const ROUNDS = 15

const TIMES_LARGER = 8

type MakeBody = (bytes: number) => string

const filled =
  (start: string, piece: string, end = ''): MakeBody =>
  (bytes) =>
    start + piece.repeat((bytes - start.length - end.length) / piece.length) + end

/**
 * Returns how many times longer it takes to reject the larger body than the smaller body. Uses the fastest of several rounds,
 * because a busy machine delays only some rounds.
 */
async function costRatio(type: string, make: MakeBody, largest: number): Promise<number> {
  const sandbox = testSandbox()
  const costs = { small: Infinity, large: Infinity }
  const refuse = async (body: string) => {
    const headers = { 'content-type': type }
    const request = new Request('http://sandbox.test/tokens', { method: 'POST', headers, body })
    expect((await sandbox.service(request)).status).toBe(400)
  }
  const bodies = { small: make(largest / TIMES_LARGER), large: make(largest) }
  for (let round = 0; round < ROUNDS; round++) {
    for (const size of ['small', 'large'] as const) {
      const startedAt = performance.now()
      await refuse(bodies[size])
      costs[size] = Math.min(costs[size], performance.now() - startedAt)
    }
  }
  return costs.large / costs.small
}

test.each<[string, string, MakeBody, number]>([
  ['a form of fields without a value', FORM, filled('', 'a&'), 65_536],
  ['a form of percent signs', FORM, filled('a=', '%'), 65_536],
  ['a form with a field name of brackets', FORM, filled('', '['), 65_536],
  ['a JSON list of objects', JSON_TYPE, filled('{"a":[', '{},', '1]}'), 262_144],
  ['deeply nested JSON', JSON_TYPE, filled('', '{"a":'), 262_144],
  ['a JSON string of escape sequences', JSON_TYPE, filled('{"a":"', String.raw`\"`, '"}'), 262_144],
])('POST /tokens rejects %s in time proportional to the body size', async (...[, type, make, largest]) => {
  // With a quadratic cost, the ratio would be 64.
  expect(await costRatio(type, make, largest)).toBeLessThan(3 * TIMES_LARGER)
})

test('a hundred unanswered test POSTs block no other call and store nothing', async () => {
  const answer = Promise.withResolvers<number>()
  const sandbox = testSandbox({ script: () => answer.promise })
  const types = notifiedTypes.filter((type) => type !== 'items')
  const waiting = Array.from({ length: 100 }, (_, index) =>
    sandbox.call('POST', '/webhooks', { url: RECEIVER, object_type: types[index % types.length] }),
  )
  await expect.poll(() => sandbox.transport.messages.length).toBe(100)

  const listed = await sandbox.call('GET', '/webhooks')
  const made = await sandbox.control('POST', '/objects/items', {})
  const health = await sandbox.control('GET', '/health')
  const entries = sandbox.store.length
  answer.resolve(500)
  const statuses = new Set((await Promise.all(waiting)).map(({ status }) => status))

  expect([listed.status, made.status, health.status]).toEqual([200, 201, 200])
  expect([...statuses, sandbox.store.length - entries]).toEqual([422, 0])
})

const MOVE = '/batches/1/transaction_states'

const LIST = 'exported_ids[]=a&exported_ids[]=b&state=12000'

const MOVED = { msg: '0 moved to successful, 2 did not', errors: ['a: not in batch 1', 'b: not in batch 1'] }

test.each([
  ['a form', MOVE, { body: LIST, type: FORM }],
  ['the query', `${MOVE}?${LIST}`, { type: '' }],
])('the service reads a list from %s that has a field for each element', async (_, path, wishes) => {
  const answer = await askFresh(path, { method: 'PATCH', ...wishes })

  expect(answer).toMatchObject(withoutEffect(200, MOVED))
})

test('the service reads a list from a form when the list has one element', async () => {
  const sandbox = testSandbox()
  const { users } = (await sandbox.call('POST', '/users', NEVE)).body
  const wallet = sandbox.store.accountId(users.id, 'wallet') ?? ''
  const fields = { account_name: 'N', 'aka_names[]': 'Neve' }

  const answer = await ask(sandbox, `/wallet_accounts/${wallet}/virtual_accounts`, {
    body: new URLSearchParams(fields).toString(),
    type: FORM,
  })

  expect([answer.status, answer.body.aka_names]).toEqual([202, ['Neve']])
})

test.each([
  ['exported_ids=a&exported_ids[]=b&state=12000', 'exported_ids'],
  ['exported_ids[]=a&state[]=12000', 'state'],
])('the form %s is rejected, and the error names the field %s', async (body, field) => {
  const answer = await askFresh(MOVE, { method: 'PATCH', body, type: FORM })

  expect(answer).toMatchObject(withoutEffect(422))
  expect(Object.keys(answer.body.errors)).toEqual([field])
})

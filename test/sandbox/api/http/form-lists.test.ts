import { expect, test } from 'vitest'
import { ask, askFresh, NOTHING_DONE } from '../../../support/requests.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const FORM = 'application/x-www-form-urlencoded'
const MOVE = '/batches/1/transaction_states'
const LIST = 'exported_ids[]=a&exported_ids[]=b&state=12000'
const MOVED = { msg: '0 moved to successful, 2 not', errors: ['a: not in batch 1', 'b: not in batch 1'] }

test.each([
  ['a form', MOVE, { body: LIST, type: FORM }],
  ['the query', `${MOVE}?${LIST}`, { type: '' }],
])('a list may come in %s, a field for each element', async (_, path, wishes) => {
  const answer = await askFresh(path, { method: 'PATCH', ...wishes })

  expect(answer).toMatchObject({ status: 200, body: MOVED, ...NOTHING_DONE })
})

test('a list of one element in a form is a list', async () => {
  const sandbox = testSandbox()
  const person = { first_name: 'Neve', last_name: 'Byrne', email: 'neve@example.test', country: 'AUS' }
  const { users } = (await sandbox.call('POST', '/users', person)).body
  const wallet = sandbox.store.accountId(users.id, 'wallet') ?? ''
  const fields = { account_name: 'N', 'aka_names[]': 'Neve' }

  const answer = await ask(sandbox, `/wallet_accounts/${wallet}/virtual_accounts`, {
    body: new URLSearchParams(fields).toString(),
    type: FORM,
  })

  expect([answer.status, answer.body.aka_names]).toEqual([202, ['Neve']])
})

test.each([
  ['exported_ids=a&state=12000', 'exported_ids'],
  ['exported_ids=a&exported_ids[]=b&state=12000', 'exported_ids'],
  ['exported_ids[]=a&exported_ids=b&state=12000', 'exported_ids'],
  ['exported_ids[]=a&state[]=12000', 'state'],
])('the form %s is refused, naming %s', async (body, field) => {
  const answer = await askFresh(MOVE, { method: 'PATCH', body, type: FORM })

  expect(answer).toMatchObject({ status: 422, ...NOTHING_DONE })
  expect(Object.keys(answer.body.errors)).toEqual([field])
})

test('the bench refuses a parameter that is a list, as it does one that it does not know', async () => {
  const answer = await askFresh('/control/jobs?limit[]=1', { method: 'GET' })

  expect(answer).toMatchObject({ status: 422, ...NOTHING_DONE })
})

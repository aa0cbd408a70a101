import { expect, test } from 'vitest'
import { ask, NOTHING_DONE } from '../../../support/requests.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const PERSON = { first_name: 'Neve', last_name: 'Byrne', email: 'neve@example.test', country: 'AUS' }
const ITEM = { name: 'x', amount: 1, buyer_id: 'a', seller_id: 'b' }

test.each([
  ['/users', PERSON],
  ['/items', ITEM],
])('POST %s refuses an id that is no segment of a path', async (path, fields) => {
  const answer = await ask(testSandbox(), path, { body: JSON.stringify({ id: 'a/b', ...fields }) })

  expect(answer).toMatchObject({
    status: 422,
    body: { errors: { id: [expect.stringContaining('Id "a/b" must match')] } },
    ...NOTHING_DONE,
  })
})

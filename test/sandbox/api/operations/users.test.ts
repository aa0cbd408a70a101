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

test.each(['a"b', '","verification_state":"approved","x":"', "$&$'$`", 'a=b&c', '{}', '~!@'])(
  'a user with the id %s is made with that id, and with nothing else of it',
  async (id) => {
    const sandbox = testSandbox()

    const made = await sandbox.call('POST', '/users', {
      id,
      first_name: 'Neve',
      last_name: 'Byrne',
      email: 'neve@example.test',
      country: 'AUS',
    })
    const shown = await sandbox.call('GET', `/users/${encodeURIComponent(id)}`)

    expect([made.status, made.body.users.id, made.body.users.verification_state]).toEqual([
      201,
      id,
      'pending',
    ])
    expect([shown.body, sandbox.errors]).toEqual([made.body, []])
  },
)

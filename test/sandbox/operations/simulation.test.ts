import { expect, test } from 'vitest'
import { ask } from '../../support/requests.ts'
import { testSandbox } from '../../support/test-sandbox.ts'

const PATH = '/batches/1/transaction_states'
const production = () => testSandbox({ readings: { environment: 'production' } })

test.each(['{"state":12700}', '{', '{"exported_ids":["x"],"state":12700}'])(
  'in production PATCH transaction_states is not found, whatever its body is: %s',
  async (body) => {
    const answer = await ask(production(), PATH, { method: 'PATCH', body })

    expect(answer).toMatchObject({ status: 404, body: { status: '404', error: 'Not Found' }, errors: [] })
  },
)

test('in production PATCH transaction_states without a token is refused for that', async () => {
  expect((await ask(production(), PATH, { method: 'PATCH', authorization: '' })).status).toBe(401)
})

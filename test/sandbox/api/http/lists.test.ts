import { expect, test } from 'vitest'
import { ask, askFresh, NOTHING_DONE } from '../../../support/requests.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

test.each([
  'limit=0',
  'limit=-1',
  'limit=201',
  'limit=1e2',
  'limit=1.5',
  'limit=NaN',
  'limit=',
  'offset=-1',
  'offset=x',
])('the lists of the service refuse ?%s', async (query) => {
  const sandbox = testSandbox()
  const uuid = await sandbox.register()

  for (const path of ['/webhooks', `/webhooks/${uuid}/jobs`]) {
    expect(await ask(sandbox, `${path}?${query}`, { method: 'GET' })).toMatchObject({
      status: 422,
      body: { status: 'Unprocessable entity' },
      ...NOTHING_DONE,
    })
  }
})

test.each(['pending', 'FAILED', '', 'failed,success', '__proto__'])(
  'the jobs of a webhook refuse status "%s"',
  async (status) => {
    const sandbox = testSandbox()
    const uuid = await sandbox.register()

    const path = `/webhooks/${uuid}/jobs?${new URLSearchParams({ status }).toString()}`
    expect(await ask(sandbox, path, { method: 'GET' })).toMatchObject({
      status: 400,
      body: { status: 'Invalid Status' },
      ...NOTHING_DONE,
    })
  },
)

test.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'cursor=-1', 'status=nope', 'generation=nope'])(
  'the jobs of the bench refuse ?%s',
  async (query) => {
    const [field] = query.split('=')

    expect(await askFresh(`/control/jobs?${query}`, { method: 'GET' })).toMatchObject({
      status: 422,
      body: { error: { field } },
      ...NOTHING_DONE,
    })
  },
)

test.each(['limit=1', 'limit=200', 'offset=1000000', 'status=failed', 'status=success', 'object_id=%00'])(
  'the jobs of a webhook take ?%s',
  async (query) => {
    const sandbox = testSandbox()
    const uuid = await sandbox.register()

    expect(await ask(sandbox, `/webhooks/${uuid}/jobs?${query}`, { method: 'GET' })).toMatchObject({
      status: 200,
      body: { jobs: [], meta: { total: 0 } },
    })
  },
)

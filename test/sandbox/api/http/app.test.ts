import { expect, test } from 'vitest'
import { ask, askFresh, withoutEffect } from '../../../support/requests.ts'
import { RECEIVER, registeredSandbox, testSandbox } from '../../../support/test-sandbox.ts'

test.each([
  ['GET', '/'],
  ['GET', '//webhooks'],
  ['PUT', '/webhooks'],
  ['GET', '/tokens'],
  ['GET', '/webhooks/x/jobs/y/z'],
  ['GET', '/control/health'],
])('the service answers 404 to %s %s', async (method, path) => {
  const reply = await askFresh(path, { listener: 'service', method })

  expect(reply).toMatchObject(withoutEffect(404))
  expect(reply.body).toEqual({ status: '404', error: 'Not Found' })
})

test.each(['/nope', '/control', '/control/nope', '/control//clock', '/webhooks', '/tokens'])(
  'the control API answers 404 to GET %s',
  async (path) => {
    expect(await askFresh(path, { listener: 'bench', method: 'GET' })).toMatchObject(
      withoutEffect(404, { error: { code: 'not_found' } }),
    )
  },
)

test.each([
  ['POST', '/control/health', 'GET'],
  ['PUT', '/control/clock', 'GET, PATCH'],
  ['PUT', '/control/objects/items/x', 'GET, PATCH'],
  ['POST', '/control/jobs/x', 'GET'],
])('the control API rejects %s %s and lists the allowed methods', async (method, path, allowed) => {
  const reply = await askFresh(path, { method })

  expect(reply).toMatchObject(withoutEffect(405, { error: { code: 'not_allowed' } }))
  expect(reply.headers.get('allow')).toBe(allowed)
})

test.each(['/control/health', '/control/nope'])('a preflight request for %s is rejected', async (path) => {
  const reply = await askFresh(path, { method: 'OPTIONS', authorization: '' })

  expect(reply).toMatchObject(withoutEffect(403, { error: { code: 'forbidden' } }))
  expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
})

test('the service ignores a header that overrides the method', async () => {
  const headers = {
    'x-http-method-override': 'DELETE',
    'x-http-method': 'DELETE',
    'x-method-override': 'DELETE',
  }
  const sandbox = testSandbox()
  const uuid = await sandbox.register()

  expect(await ask(sandbox, `/webhooks/${uuid}`, { method: 'GET', headers })).toMatchObject(
    withoutEffect(200, { uuid }),
  )
})

const HOSTILE_IDS = [
  `' OR 1=1--`,
  '"; DROP TABLE entries;',
  '\0',
  '\u202Etxt',
  String.raw`..\..\token`,
  'constructor',
  '💥',
  'x'.repeat(10_000),
].map(encodeURIComponent)

test.each([...HOSTILE_IDS, '%', '%ff', '%E0%A4%A'])('the service answers 404 to the id %s', async (id) => {
  const sandbox = testSandbox()
  const uuid = await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  for (const path of [`/webhooks/${id}`, `/webhooks/${id}/jobs`, `/webhooks/${uuid}/jobs/${id}`]) {
    expect(await ask(sandbox, path, { method: 'GET' })).toMatchObject(
      withoutEffect(404, { status: 'Not Found', message: 'resource not found' }),
    )
  }
  expect(await ask(sandbox, `/items/${id}`, { method: 'GET' })).toMatchObject(
    withoutEffect(404, { errors: { id: ['not found'] } }),
  )
  for (const list of ['objects/items', 'jobs', 'deliveries']) {
    expect(await ask(sandbox, `/control/${list}/${id}`, { method: 'GET' })).toMatchObject(
      withoutEffect(404, { error: { code: 'not_found', field: 'id' } }),
    )
  }
})

test.each(['PATCH', 'DELETE'])('a %s request for an unknown webhook changes nothing', async (method) => {
  const sandbox = await registeredSandbox()

  expect(await ask(sandbox, '/webhooks/constructor', { method, body: '{"enabled":false}' })).toMatchObject(
    withoutEffect(404, { status: 'Not Found', message: 'resource not found' }),
  )
})

test('a job cannot be read through another webhook', async () => {
  const sandbox = testSandbox()
  const own = await sandbox.register()
  const { body: other } = await sandbox.call('POST', '/webhooks', {
    url: `${RECEIVER}2`,
    object_type: 'users',
  })
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()
  const [job] = sandbox.store.jobs(own)

  const shown = await ask(sandbox, `/webhooks/${own}/jobs/${job?.id}/`, { method: 'GET' })
  const foreign = await ask(sandbox, `/webhooks/${other.uuid}/jobs/${job?.id}`, { method: 'GET' })
  const none = await ask(sandbox, `/webhooks/${other.uuid}/jobs/${other.uuid}`, { method: 'GET' })

  expect(shown).toMatchObject({ status: 200, body: { uuid: job?.id } })
  expect(foreign).toMatchObject(withoutEffect(404, { message: 'resource not found' }))
  expect(foreign.body).toEqual(none.body)
})

test.each(['limit=0', 'limit=201', 'limit=1e2', 'limit=', 'offset=-1'])(
  'the list operations of the service reject the query ?%s',
  async (query) => {
    const sandbox = testSandbox()
    const uuid = await sandbox.register()

    for (const path of ['/webhooks', `/webhooks/${uuid}/jobs`]) {
      expect(await ask(sandbox, `${path}?${query}`, { method: 'GET' })).toMatchObject(
        withoutEffect(422, { status: 'Unprocessable entity' }),
      )
    }
  },
)

test.each(['pending', 'FAILED', '', 'failed,success', '__proto__'])(
  'the job list of a webhook rejects the status %s',
  async (status) => {
    const sandbox = testSandbox()
    const uuid = await sandbox.register()

    const path = `/webhooks/${uuid}/jobs?${new URLSearchParams({ status }).toString()}`
    expect(await ask(sandbox, path, { method: 'GET' })).toMatchObject(
      withoutEffect(400, { status: 'Invalid Status' }),
    )
  },
)

test.each(['status=nope', 'generation=nope'])('the control API rejects the job query ?%s', async (query) => {
  const [field] = query.split('=')

  expect(await askFresh(`/control/jobs?${query}`, { method: 'GET' })).toMatchObject(
    withoutEffect(422, { error: { field } }),
  )
})

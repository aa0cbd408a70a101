import { expect, test } from 'vitest'
import { ask, NOTHING_DONE } from '../../../support/requests.ts'
import {
  RECEIVER,
  START,
  testSandbox,
  type TestOptions,
  type TestSandbox,
} from '../../../support/test-sandbox.ts'

const OTHER = 'https://localhost:9444/notifications/items/0a1b2c3d4e5f6071'
const EARLIER: TestOptions = { readings: { 'callback-list': 'earlier' } }

/** Registers RECEIVER for items as a callback, unless told otherwise; gives its id. */
async function registered({ call }: TestSandbox, fields: object = {}): Promise<string> {
  const { body } = await call('POST', '/callbacks', { url: RECEIVER, object_type: 'items', ...fields })
  return body.callbacks.id
}

test.each([
  [{ url: OTHER }, { url: OTHER }],
  [{ object_type: 'users' }, { object_type: 'users' }],
  [{ enabled: '0' }, { enabled: false }],
  [{ enabled: false, description: 'Mine', id: 'x' }, { enabled: false }],
  [
    { url: OTHER, object_type: 'users', enabled: false },
    { url: OTHER, object_type: 'users', enabled: false },
  ],
])('PATCH with %j makes of a callback %j', async (sent, changed) => {
  const sandbox = testSandbox()
  const id = await registered(sandbox, { description: 'Shop' })
  const before = await sandbox.call('GET', `/callbacks/${id}`)
  await sandbox.advance(START + 60_000)

  const { status, body } = await sandbox.call('PATCH', `/callbacks/${id}`, sent)

  const updated_at = new Date(START + 60_000).toISOString()
  expect([status, body.callbacks]).toEqual([200, { ...before.body.callbacks, ...changed, updated_at }])
  expect(await sandbox.call('GET', `/callbacks/${id}`)).toEqual({ status: 200, body })
  expect(sandbox.errors).toEqual([])
})

test.each([{}, { description: 'Mine' }, { enabled: true }, { url: RECEIVER, object_type: 'items' }])(
  'PATCH with %j changes nothing, and stores and sends nothing',
  async (sent) => {
    const sandbox = testSandbox()
    const id = await registered(sandbox)
    const before = await sandbox.call('GET', `/callbacks/${id}`)
    await sandbox.advance(START + 60_000)

    const answer = await ask(sandbox, `/callbacks/${id}`, { method: 'PATCH', body: JSON.stringify(sent) })

    expect(answer).toMatchObject({ status: 200, ...NOTHING_DONE })
    expect(answer.body).toEqual(before.body)
  },
)

test('a changed URL is tested before it replaces the old one, enabling again is not a test', async () => {
  const sandbox = testSandbox({ script: ({ url }) => (url === OTHER ? 500 : 200) })
  const id = await registered(sandbox)

  const changed = await sandbox.call('PATCH', `/callbacks/${id}`, { url: OTHER })
  await sandbox.call('PATCH', `/callbacks/${id}`, { enabled: false })
  const enabled = await sandbox.call('PATCH', `/callbacks/${id}`, { enabled: 'true' })

  expect(changed).toMatchObject({ status: 422, body: { errors: { url: [expect.any(String)] } } })
  expect(enabled).toMatchObject({ status: 200, body: { callbacks: { url: RECEIVER, enabled: true } } })
  expect(sandbox.transport.messages.map(({ url }) => url)).toEqual([RECEIVER, OTHER])
  expect(sandbox.errors).toEqual([])
})

test.each([
  [{ object_type: 'virtual_accounts' }, {}, 'object_type'],
  [{ object_type: 'bank_accounts' }, {}, 'object_type'],
  [{ object_type: 'accounts' }, EARLIER, 'object_type'],
  [{ object_type: 'gadgets' }, {}, 'object_type'],
  [{ url: null }, {}, 'url'],
  [{ url: 'http://localhost:9443/x' }, {}, 'url'],
  [{ enabled: 'perhaps' }, {}, 'enabled'],
])('PATCH refuses %j and changes nothing', async (sent, options, field) => {
  const sandbox = testSandbox(options)
  const id = await registered(sandbox)

  const answer = await ask(sandbox, `/callbacks/${id}`, { method: 'PATCH', body: JSON.stringify(sent) })

  expect(answer).toMatchObject({ status: 422, ...NOTHING_DONE })
  expect(answer.body).toEqual({ errors: { [field]: [expect.any(String)] } })
})

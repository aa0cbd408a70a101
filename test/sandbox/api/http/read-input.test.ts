import { expect, test } from 'vitest'
import { ask, askFresh, GRANT, withoutEffect } from '../../../support/requests.ts'
import { RECEIVER, testSandbox } from '../../../support/test-sandbox.ts'

const FORM = 'application/x-www-form-urlencoded'
const WEBHOOK = { url: RECEIVER, object_type: 'items' }

const form = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString()
const json = (fields: unknown) => JSON.stringify(fields)
const badRequest = (message: string) => withoutEffect(400, { status: 'Bad Request', message })
const unprocessable = (message: unknown) => withoutEffect(422, { status: 'Unprocessable entity', message })

test.each([
  ['JSON', '/tokens', { body: json(GRANT) }],
  ['a form', '/tokens', { body: form(GRANT), type: FORM }],
  ['JSON with an unknown field', '/tokens', { body: json({ ...GRANT, audience: 5 }) }],
])('POST /tokens accepts %s', async (_, path, wishes) => {
  expect(await askFresh(path, { ...wishes, authorization: '' })).toMatchObject(
    withoutEffect(200, { access_token: expect.any(String), expires_in: 3600, token_type: 'Bearer' }),
  )
})

test.each([
  ['an unknown grant type', { grant_type: 'password' }, 400, 'bad request'],
  ['a numeric client secret', { client_secret: 5 }, 400, 'bad request'],
  ['a wrong client secret', { client_secret: 'sandbox-secre' }, 401, 'invalid credentials'],
])('POST /tokens rejects %s', async (...[, fields, status, error]) => {
  const body = json({ ...GRANT, ...fields })

  expect(await askFresh('/tokens', { body, authorization: '' })).toMatchObject(
    withoutEffect(status, { error }),
  )
})

test.each([
  ['JSON', '/webhooks', { body: json(WEBHOOK) }],
  ['a form', '/webhooks', { body: form(WEBHOOK), type: FORM }],
  ['the query', `/webhooks?${form(WEBHOOK)}`, { type: '' }],
  ['the query and JSON', `/webhooks?object_type=items`, { body: json({ url: RECEIVER }) }],
  ['JSON with unknown fields', '/webhooks', { body: json({ ...WEBHOOK, http_method: 'get', nope: [1] }) }],
])('POST /webhooks accepts %s', async (_, path, wishes) => {
  expect(await askFresh(path, wishes)).toMatchObject({
    status: 201,
    body: { url: RECEIVER, object_type: 'items', enabled: true, description: null, http_method: 'post' },
    sent: 1,
    stored: 1,
    errors: [],
  })
})

test.each([
  [true, true],
  ['1', true],
  ['false', false],
  [0, false],
])('POST /webhooks reads %j as the enabled value %s', async (value, enabled) => {
  expect((await askFresh('/webhooks', { body: json({ ...WEBHOOK, enabled: value }) })).body.enabled).toBe(
    enabled,
  )
})

test.each([
  ['/control/objects/items', { amuont: 1 }, 'Unknown field "amuont". Did you mean "amount"?'],
  ['/control/objects/items', { ['x'.repeat(101)]: 1 }, `Unknown field "${'x'.repeat(101)}"`],
])('POST %s names the nearest field when %j is misspelt', async (path, fields, message) => {
  expect((await askFresh(path, { body: json(fields) })).body.error.message).toBe(message)
})

test.each([
  ['JSON', '', { body: json({ description: 'Mine', enabled: '0' }) }],
  ['a form', '', { body: form({ description: 'Mine', enabled: '0' }), type: FORM }],
  ['the query', '?description=Mine&enabled=0', { type: '' }],
])('PATCH /webhooks/:uuid accepts %s', async (_, rest, wishes) => {
  const sandbox = testSandbox()
  const uuid = await sandbox.register()

  expect(await ask(sandbox, `/webhooks/${uuid}${rest}`, { ...wishes, method: 'PATCH' })).toMatchObject({
    status: 200,
    body: { uuid, description: 'Mine', enabled: false },
    sent: 0,
    errors: [],
  })
})

const NOT_UPDATED = badRequest('field(s) object_type not allowed to update')

test.each([
  ['its object type', { object_type: 'users' }, NOT_UPDATED],
  ['its URL to an HTTP URL', { url: 'http://localhost:9443/' }, unprocessable(expect.stringMatching(/^URL/))],
  ['its enabled status to a string', { enabled: 'on' }, unprocessable('Enabled "on" must be boolean')],
])('PATCH /webhooks/:uuid rejects a change of %s', async (_, fields, refusal) => {
  const sandbox = testSandbox()
  const uuid = await sandbox.register()

  expect(await ask(sandbox, `/webhooks/${uuid}`, { method: 'PATCH', body: json(fields) })).toMatchObject(
    refusal,
  )
})

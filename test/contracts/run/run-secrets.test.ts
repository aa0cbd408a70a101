import { expect, test } from 'vitest'
import { createRunOptions } from '../../../contracts/config/run-options.ts'
import { listSecrets } from '../../../contracts/run/run-secrets.ts'
import { context } from '../support/config-context.ts'
import { attachedService, receiverOptions, secretHolder } from '../support/run-options.ts'

const secretsIn = (fields: Parameters<typeof secretHolder>[0]) => listSecrets(secretHolder(fields))

test('listSecrets() excludes public default values, ordinary headers and URLs without secrets', () => {
  const urls = { webhooks: 'https://localhost:9443/notifications/webhook-receiver/{object_type}' }
  const headers = { 'content-type': 'application/json', 'x-request-id': 'abc' }

  expect(secretsIn({ receiver: receiverOptions({ urls, headers }) })).toEqual([])
})

test('listSecrets() includes the unguessable path segment and the query of a receiver URL', () => {
  const urls = { webhooks: { items: 'https://localhost/{object_type}/3f9c1d2ab47e8051?shop=hush' } }

  expect(secretsIn({ receiver: receiverOptions({ urls }) })).toEqual([
    'hush',
    '3f9c1d2ab47e8051',
    '3F9C1D2AB47E8051',
    '3f9c1d2ab47e805',
  ])
})

test.each([
  ['without two digits', 'https://localhost/items/XbqTzKfwPmRvJhGcLyNsDa', 'XbqTzKfwPmRvJhGcLyNsDa'],
  ['percent-encoded', 'https://localhost/items/%33f9c1d2ab47e8051', '3f9c1d2ab47e8051'],
  ['in a query', 'https://localhost/items?of=3f9c1d2ab47e8051', '3f9c1d2ab47e8051'],
])('listSecrets() includes a URL token %s', (_, url, token) => {
  expect(secretsIn({ receiver: receiverOptions({ urls: { webhooks: url } }) })).toContain(token)
})

test('listSecrets() includes URL passwords, receiver headers and service credentials', () => {
  const credentials = { client_id: 'a', client_secret: 'hush-a', email: 'b', api_token: 'hush-b' }
  const secrets = secretsIn({
    receiver: receiverOptions({ headers: { authorization: 'Bearer hush-c' } }),
    service: attachedService({ token: 'hush-d', credentials }),
    effects: {
      kind: 'http',
      url: 'https://me:hush%2Fe@localhost/3f9c1d2ab47e8051/{object_type}/{id}?of={id}',
    },
    reconcile: { kind: 'http', url: 'https://localhost/?run=hush-f' },
    secret: 'hush-g',
  })

  const hushed = ['hush-a', 'hush-b', 'hush-c', 'hush-d', 'hush-f', 'hush-g', '3f9c1d2ab47e8051']
  expect(secrets.toSorted()).toEqual(['Bearer hush-c', 'hush%2Fe', 'hush/e', ...hushed].toSorted())
})

test.each([
  'psql postgres://me:hush-1@localhost/shop -c "select 1"',
  'PGPASSWORD=hush-1 psql -c "select 1"',
  "curl -H 'Authorization: Bearer hush-1' https://localhost/effects",
  'curl -u me:hush-1 https://localhost/effects',
  'effects --api-token hush-1 --json',
  'effects --password="hush-1"',
])('listSecrets() includes the credentials in a command: %s', (command) => {
  expect(secretsIn({ effects: { kind: 'command', command } })).toContain('hush-1')
})

test('reports mask the generated secrets of a new world', () => {
  const secrets = listSecrets(
    createRunOptions(
      {
        receiver: { url: 'https://localhost/{object_type}' },
        service: { attach: true, world: 'new' },
        process: { start: 'a', stop: 'b' },
      },
      context,
    ),
  )

  expect(secrets.filter((each) => each === 'an unguessable secret')).toHaveLength(2)
})

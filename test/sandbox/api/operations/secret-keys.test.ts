import { expect, test } from 'vitest'
import type { Head } from '../../../../sandbox/engine/state/entries.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const SECRET = 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9'

test('a secret is taken where webhooks are signed', async () => {
  const sandbox = testSandbox({ readings: { signature: 'hmac' } })

  const answer = await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })

  expect(answer).toEqual({ status: 201, body: { secret_key: SECRET } })
})

test('there is no such operation where webhooks are not signed', async () => {
  const sandbox = testSandbox()

  const answer = await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })

  expect(answer).toEqual({ status: 404, body: { status: 'Not Found', message: 'resource not found' } })
  expect(sandbox.store.length).toBe(0)
})

test.each([
  ['one of 31 characters', SECRET.slice(1)],
  ['one with a space', `${SECRET} ${SECRET}`],
  ['one beyond ASCII', `${SECRET}é`],
])('%s is refused, and the message keeps it secret', async (_, secret_key) => {
  const sandbox = testSandbox({ readings: { signature: 'hmac' } })

  const { status, body } = await sandbox.call('POST', '/webhooks/secret_key', { secret_key })

  expect([status, body.status]).toEqual([422, 'Unprocessable entity'])
  expect(body.message).toContain('Secret Key must')
  expect(body.message).not.toContain(SECRET.slice(1))
  expect(sandbox.store.length).toBe(0)
})

test('nobody who follows the store is told the secret, and no job shows it', async () => {
  const sandbox = testSandbox({ readings: { signature: 'hmac' } })
  const heads: Head[] = []
  sandbox.store.subscribe((head) => heads.push(head))
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })
  const webhook = await sandbox.register()
  await sandbox.control('POST', '/objects/items', {})
  await sandbox.idle()

  const { body: jobs } = await sandbox.call('GET', `/webhooks/${webhook}/jobs`)
  const detail = await sandbox.control('GET', `/jobs/${jobs.jobs[0].uuid}`)

  expect(heads.map(({ kind }) => kind)).toEqual([
    'secret',
    'registration',
    'object',
    'object',
    'object',
    'job',
    'attempt',
  ])
  expect(JSON.stringify([heads, jobs, detail])).not.toContain(SECRET)
})

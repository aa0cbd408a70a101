import { expect, test } from 'vitest'
import type { Head } from '../../../../sandbox/engine/state/entries.ts'
import { testSandbox } from '../../../support/test-sandbox.ts'

const SECRET = 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9'

const CREATED = {
  status: 201,
  body: { status: 'Created', message: 'secret key created successfully' },
}

test.each(['hmac', 'off'])(
  'a secret is taken and not echoed, with the reading signature at %s',
  async (signature) => {
    const sandbox = testSandbox({ readings: { signature } })

    const answer = await sandbox.call('POST', '/webhooks/secret_key', { secret_key: SECRET })

    expect(answer).toEqual(CREATED)
  },
)

test('a secret may have spaces in it', async () => {
  const sandbox = testSandbox()
  const secret_key = ` ${SECRET} ${SECRET} `

  expect(await sandbox.call('POST', '/webhooks/secret_key', { secret_key })).toEqual(CREATED)
  expect(sandbox.store.secrets()).toMatchObject([{ secret: secret_key }])
})

test('the secret that is set already is refused, and one that was replaced may come back', async () => {
  const sandbox = testSandbox()
  const set = (secret_key: string) => sandbox.call('POST', '/webhooks/secret_key', { secret_key })
  const other = SECRET.toLowerCase()

  const answers = [await set(SECRET), await set(SECRET), await set(other), await set(SECRET)]

  expect(answers).toEqual([
    CREATED,
    { status: 409, body: { status: 'Already exists', message: 'secret key already exists' } },
    CREATED,
    CREATED,
  ])
  expect(sandbox.store.secrets().map(({ secret }) => secret)).toEqual([SECRET, other])
})

test('without a secret the call is refused, saying what is missing', async () => {
  const sandbox = testSandbox()

  const answer = await sandbox.call('POST', '/webhooks/secret_key', {})

  expect(answer).toEqual({
    status: 400,
    body: { status: 'Bad Request', message: 'Required fields missing: secret_key' },
  })
})

test.each([
  ['one of 31 characters', SECRET.slice(1)],
  ['one of two lines', `${SECRET}\n${SECRET}`],
  ['one beyond ASCII', `${SECRET}é`],
])('%s is refused, and the message keeps it secret', async (_, secret_key) => {
  const sandbox = testSandbox()

  const { status, body } = await sandbox.call('POST', '/webhooks/secret_key', { secret_key })

  expect([status, body.status]).toEqual([422, 'Unprocessable entity'])
  expect(body.message).toContain('Secret Key must')
  expect(body.message).not.toContain(SECRET.slice(1))
  expect(sandbox.store.length).toBe(0)
})

test('nobody who follows the store is told the secret, and no job shows it', async () => {
  const sandbox = testSandbox()
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
    'attempt-start',
    'attempt',
  ])
  expect(JSON.stringify([heads, jobs, detail])).not.toContain(SECRET)
})

import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

const URL = 'https://localhost:9443/'

test('what was to be signed is not delivered unsigned', async () => {
  const sandbox = testSandbox()
  const deliver = () => sandbox.control('POST', '/deliveries', { url: URL, raw: '', signed: true })

  await sandbox.control('PATCH', '/readings', { signature: 'off' })
  const off = await deliver()
  await sandbox.control('PATCH', '/readings', { signature: 'hmac' })
  const withoutSecret = await deliver()
  await sandbox.call('POST', '/webhooks/secret_key', { secret_key: 'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9' })
  const signed = await deliver()

  expect([off.status, withoutSecret.status, signed.status]).toEqual([422, 422, 201])
  expect([off.body.error.message, withoutSecret.body.error.message]).toEqual([
    'Cannot sign the delivery: the reading signature is off',
    'Cannot sign the delivery: no secret is set',
  ])
})

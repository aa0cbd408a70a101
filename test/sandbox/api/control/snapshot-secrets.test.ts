import { expect, test } from 'vitest'
import { testSandbox } from '../../../support/test-sandbox.ts'

test('the secrets that a snapshot has are listed without it, the newest first', async () => {
  const sandbox = testSandbox()
  const secrets = [
    'k3Vq8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9',
    'q8ZrT1mXw6Yp0sDf4Gh7Jb2Nc5Le9k3V',
    'r1mXw6Yp0sDf4Gh7Jb2Nc5Le9k3Vq8ZT',
  ]
  for (const secret_key of secrets) await sandbox.call('POST', '/webhooks/secret_key', { secret_key })

  const { body } = await sandbox.control('GET', '/snapshot/secrets')
  const { entries } = await sandbox.perform('getSnapshot')

  const listed = body.secrets.map(({ secret_key }: { readonly secret_key: string }) => secret_key)
  expect(listed).toEqual([secrets[2], secrets[1]])
  expect(entries.filter(({ head }) => head.kind === 'secret').map(({ body: text }) => text)).toEqual(secrets)
})

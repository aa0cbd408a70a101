import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkServerIdentity } from '../../../sandbox/adapters/server-identity.ts'
import { testAuthority } from '../../support/certificates.ts'

const root = await testAuthority()

async function isFor(host: string, hosts: readonly string[]): Promise<boolean> {
  const certificate = new X509Certificate((await root.issue({ hosts })).cert)
  return checkServerIdentity(host, certificate.toLegacyObject()) === undefined
}

test.each([
  ['localhost', ['localhost']],
  ['localhost', ['127.0.0.1', 'localhost']],
  ['items.localhost.test', ['*.localhost.test']],
  ['127.0.0.1', ['127.0.0.1']],
  ['::1', ['::1']],
])('a certificate matches the host %s when its alternative names are %j', async (host, hosts) => {
  expect(await isFor(host, hosts)).toBe(true)
})

test.each([
  ['localhost', []],
  ['localhost', ['127.0.0.1']],
  ['localhost', ['me@localhost']],
  ['localhost', ['https://localhost/']],
  ['127.0.0.1', ['127.0.0.2']],
  ['::1', ['localhost', '127.0.0.1']],
])('a certificate does not match the host %s when its alternative names are %j', async (host, hosts) => {
  expect(await isFor(host, hosts)).toBe(false)
})

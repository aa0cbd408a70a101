import { expect, test } from 'vitest'
import { handshake } from '../../../contracts/probes/tls-handshake.ts'
import { testAuthority } from '../../support/certificates.ts'
import { tlsServer } from '../../support/transport.ts'

const root = await testAuthority()
const certificate = await root.issue()

test('handshake() connects from the specified source address', async () => {
  const { url, accepted } = await tlsServer(certificate, () => {})

  const probe = await handshake(url, '127.183.18.207')

  expect([probe.kind, accepted.map(({ remoteAddress }) => remoteAddress)]).toEqual([
    'seen',
    ['127.183.18.207'],
  ])
})

import { join } from 'node:path'
import { openCertificateAuthority } from '../../sandbox/adapters/certificate-authority.ts'
import { startChild, type Child } from './children.ts'

export interface BenchReceiver extends Child {
  readonly origin: string
  /** The PEM certificate of the CA that issued the receiver's certificate. */
  readonly ca: string
}

export async function startReceiver(folder: string, oneIn = 100): Promise<BenchReceiver> {
  const ca = await openCertificateAuthority(join(folder, 'ca'))
  const { certificatePem: cert, privateKeyPem: key } = await ca.issue(['localhost'])
  const child = await startChild('receiver')
  const { port } = await child.ask<{ port: number }>({ cert, key, oneIn })
  return { ...child, origin: `https://localhost:${port}`, ca: ca.certificatePem }
}

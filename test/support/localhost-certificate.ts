import { join } from 'node:path'
import { openCertificateAuthority } from '../../sandbox/adapters/certificate-authority.ts'
import { openDataFolder } from '../../sandbox/adapters/data-folder.ts'
import type { TestCertificate } from './certificates.ts'

/** A certificate of the CA of the data folder that a program has in this folder. */
export async function issueForLocalhost(folder: string): Promise<TestCertificate> {
  const authority = await openCertificateAuthority(openDataFolder(join(folder, '.hookbench')).caFolder)
  const { certificatePem: cert, privateKeyPem: key } = await authority.issue(['localhost'])
  return { cert, key }
}

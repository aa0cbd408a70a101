import type { CertificateAuthority } from '../../sandbox/adapters/certificate-authority.ts'
import type { Defect } from '../../contracts/reference-receiver/defects/defect.ts'
import { hoursFromNow, selfSigned, testAuthority } from './certificates.ts'

export interface Presented {
  /** The leaf, and what is sent after it. */
  readonly cert: string
  readonly key: string
  /** A CA to be trusted, beside the sandbox's own. */
  readonly ca: string | undefined
}

const LATER = hoursFromNow(2_000)

/** A certificate for localhost with this wrong with it, or with nothing. */
export async function certificateWith(
  fault: Defect['certificate'],
  authority: CertificateAuthority,
): Promise<Presented> {
  if (fault === undefined) {
    const { certificatePem: cert, privateKeyPem: key } = await authority.issue(['localhost'])
    return { cert, key, ca: undefined }
  }
  if (fault === 'self-signed') return { ...(await selfSigned({ notAfter: LATER })), ca: undefined }
  const root = await testAuthority()
  switch (fault) {
    case 'untrusted':
      return { ...(await root.issue({ notAfter: LATER, chain: [root.pem] })), ca: undefined }
    case 'for-another-name':
      return {
        ...(await root.issue({ hosts: ['receiver.test'], notAfter: LATER, chain: [root.pem] })),
        ca: root.pem,
      }
    case 'expires-soon':
      return { ...(await root.issue({ notAfter: hoursFromNow(72), chain: [root.pem] })), ca: root.pem }
    case 'without-intermediate':
      return { ...(await (await root.intermediate()).issue({ notAfter: LATER })), ca: root.pem }
    default:
      return fault satisfies never
  }
}

import { createHash } from 'node:crypto'
import { SIGNATURE_HEADER } from '../../spec/signature-header.ts'
import { signatureHeader } from '../../spec/signature.ts'
import type { MakeSignature, Signing } from '../toolkit/check-context.ts'

interface SigningPorts {
  /** Undefined where webhooks are not signed. */
  readonly secret: string | undefined
  /** Real time, ISO 8601: signatures are made by no other. */
  readonly now: () => string
}

/** The header that signs a message, as the service does or as it is told; none where webhooks are not signed. */
export type Sign = (
  message: { readonly url: string; readonly body: Signing['body'] },
  makeSignature?: MakeSignature,
) => Readonly<Record<string, string>>

/**
 * Signs what a run sends. The service makes the signature of each attempt anew, minutes after the last: what is sent again
 * within a second here is signed for another second, so that nobody knows it again by its signature. Reading: signature
 */
export function createSigning({ secret, now }: SigningPorts): Sign {
  const taken = new Set<string>()
  return ({ url, body }, makeSignature = signAsService) => {
    if (secret === undefined) return {}
    const message = createHash('sha256').update(`${url}\n`).update(body).digest('base64')
    let seconds = Math.floor(Date.parse(now()) / 1_000)
    while (taken.has(`${seconds} ${message}`)) seconds--
    taken.add(`${seconds} ${message}`)
    return { [SIGNATURE_HEADER]: makeSignature({ secret, now: seconds, body }) }
  }
}

function signAsService({ secret, now, body }: Signing): string {
  return signatureHeader([secret], now, body)
}

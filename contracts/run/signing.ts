import { createHash } from 'node:crypto'
import { SIGNATURE_HEADER } from '../../spec/signature-header.ts'
import type { MakeSignature, Signing } from '../toolkit/check-context.ts'
import { signedNow } from '../toolkit/messages.ts'

/** Returns the signature header of a delivery. Empty if webhooks are not signed. */
export type Sign = (
  message: { readonly url: string; readonly body: Signing['body'] },
  makeSignature?: MakeSignature,
) => Readonly<Record<string, string>>

/**
 * Signs the deliveries of a run. Equal deliveries get signatures with different times, because the service signs each attempt
 * with a new time. `now` returns the real time in ISO 8601. Reading: signature
 */
export function createSigning(secret: string | undefined, now: () => string): Sign {
  const taken = new Set<string>()
  return ({ url, body }, makeSignature = signedNow) => {
    if (secret === undefined) return {}
    const message = createHash('sha256').update(`${url}\n`).update(body).digest('base64')
    let seconds = Math.floor(Date.parse(now()) / 1_000)
    while (taken.has(`${seconds} ${message}`)) seconds--
    taken.add(`${seconds} ${message}`)
    return { [SIGNATURE_HEADER]: makeSignature({ secret, now: seconds, body }) }
  }
}

import { createHash } from 'node:crypto'
import { SIGNATURE_HEADER } from '../../spec/signature-header.ts'
import type { MakeSignature, Signing } from '../toolkit/check-context.ts'
import { signedNow } from '../toolkit/messages.ts'

/** A function that returns the signature header of a delivery. Empty if webhooks are not signed. */
export type Sign = (
  message: { readonly url: string; readonly body: Signing['body'] },
  makeSignature?: MakeSignature,
) => Readonly<Record<string, string>>

/** Signs each delivery with a new time, as the service does. `now` returns ISO 8601 real time. Reading: signature */
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

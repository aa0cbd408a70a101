import { SIGNATURE_HEADER, signatureHeader } from '../../spec/signature.ts'
import type { MakeSignature, Signing } from '../toolkit/check-context.ts'

export interface SigningPorts {
  /** Undefined where webhooks are not signed. */
  readonly secret: string | undefined
  /** Real time, ISO 8601: signatures are made by no other. */
  readonly now: () => string
}

/** The header that signs these bytes, as the service does or as it is told; none where webhooks are not signed. */
export function signingHeaders(
  body: Signing['body'],
  { secret, now }: SigningPorts,
  makeSignature: MakeSignature = signAsService,
): Readonly<Record<string, string>> {
  if (secret === undefined) return {}
  const seconds = Math.floor(Date.parse(now()) / 1_000)
  return { [SIGNATURE_HEADER]: makeSignature({ secret, now: seconds, body }) }
}

function signAsService({ secret, now, body }: Signing): string {
  return signatureHeader([secret], now, body)
}

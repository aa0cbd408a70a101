import { createHmac } from 'node:crypto'

/**
 * What the header says: when it was made, in whole seconds since the Unix epoch, and a signature with each active secret
 * of the time and the exact bytes sent. Reading: signature
 */
export function signatureHeader(
  secrets: readonly string[],
  timestamp: number,
  body: string | Uint8Array,
): string {
  return [`t=${timestamp}`, ...secrets.map((secret) => `v=${signatureValue(secret, timestamp, body)}`)].join(
    ',',
  )
}

/** One `v` of the header: base64url of HMAC-SHA256, without padding. Reading: signature */
export function signatureValue(secret: string, timestamp: number, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('base64url')
}

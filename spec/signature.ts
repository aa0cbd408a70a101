import { createHmac } from 'node:crypto'

/** Returns the header: the time in seconds since the Unix epoch, and a signature for each active secret. Reading: signature */
export function signatureHeader(
  secrets: readonly string[],
  timestamp: number,
  body: string | Uint8Array,
): string {
  return [`t=${timestamp}`, ...secrets.map((secret) => `v=${signatureValue(secret, timestamp, body)}`)].join(
    ',',
  )
}

/** Returns a signature: the HMAC-SHA256 in base64url, without padding. Reading: signature */
export function signatureValue(secret: string, timestamp: number, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('base64url')
}

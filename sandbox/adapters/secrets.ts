import { randomBytes, randomUUID } from 'node:crypto'

/** Returns 256 random bits for a key or a token. */
export function secretBytes(): Uint8Array {
  return randomBytes(32)
}

/** Returns 256 random bits as header text. */
export function secretText(): string {
  return randomBytes(32).toString('base64url')
}

export function randomId(): string {
  return randomUUID()
}

import { randomBytes, randomUUID } from 'node:crypto'

/** 256 bits for a key or a token. */
export function secretBytes(): Uint8Array {
  return randomBytes(32)
}

/** 256 bits as text for a header. */
export function secretText(): string {
  return randomBytes(32).toString('base64url')
}

export function randomId(): string {
  return randomUUID()
}

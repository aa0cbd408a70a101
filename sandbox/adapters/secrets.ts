import { randomBytes, randomUUID } from 'node:crypto'

export function secretBytes(): Uint8Array {
  return randomBytes(32)
}

export function secretText(): string {
  return randomBytes(32).toString('base64url')
}

export function randomId(): string {
  return randomUUID()
}

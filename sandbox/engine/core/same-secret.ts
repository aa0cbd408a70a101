import { hash, timingSafeEqual } from 'node:crypto'

/** Takes as long for a near miss as for a far one. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digestSecret(given), digestSecret(expected))
}

/** What a secret can be looked up by: how alike two of them are does not show in it. */
export function digestSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

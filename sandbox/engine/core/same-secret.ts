import { hash, timingSafeEqual } from 'node:crypto'

/** Takes as long for a near miss as for a far one. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  return timingSafeEqual(digest(given), digest(expected))
}

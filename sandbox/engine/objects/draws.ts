import { createHash } from 'node:crypto'

/** A UUID, of version 8, that follows from the text. */
export function uuidFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** As many digits as asked for, drawn from the source of the ids. */
export function drawDigits(count: number, newId: () => string): string {
  let digits = ''
  while (digits.length < count) digits += digitsOf(newId())
  return digits.slice(0, count)
}

const [HYPHEN = 0, ZERO = 0, NINE = 0, A = 0] = Buffer.from('-09a')
const decimals = Buffer.alloc(36)

/** The hexadecimal digits of a UUID as decimal ones. */
function digitsOf(id: string): string {
  let count = 0
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at)
    if (code !== HYPHEN) decimals[count++] = code <= NINE ? code : code - A + ZERO
  }
  return decimals.toString('latin1', 0, count)
}

/** A number of six digits that follows from the text, such as the id of a user, which may be any. */
export function sixDigitsFor(text: string): number {
  let mixed = 7
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed, 31) + text.charCodeAt(at)
  return 100_000 + ((mixed >>> 0) % 900_000)
}

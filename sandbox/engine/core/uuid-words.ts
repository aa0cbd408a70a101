/** How many numbers of 32 bits a uuid is. */
export const UUID_WORDS = 4

const DIGITS = '0123456789abcdef'
/** The value of a digit by its character code. */
const VALUES = new Int8Array(128).fill(-1)
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value

const HYPHEN = '-'.charCodeAt(0)
const isHyphenPlace = (index: number) => index === 8 || index === 13 || index === 18 || index === 23

/** Whether the text is a uuid in the form that is printed again; its numbers are in `words` then. */
export function parseUuid(text: string, words: Uint32Array): boolean {
  if (text.length !== 36) return false
  let digits = 0
  let word = 0
  for (let index = 0; index < 36; index++) {
    const code = text.charCodeAt(index)
    if (isHyphenPlace(index)) {
      if (code !== HYPHEN) return false
      continue
    }
    const value = VALUES[code] ?? -1
    if (value === -1) return false
    word = (word << 4) | value
    if (++digits % 8 === 0) words[digits / 8 - 1] = word
  }
  return true
}

const CODES = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0))
const printed = Buffer.alloc(36, HYPHEN)

/** The uuid that is these four numbers, one after the other. In one piece: put together of parts it took four times the room. */
export function formatUuid(next: () => number): string {
  let place = 0
  for (let number = 0; number < UUID_WORDS; number++) {
    const word = next()
    for (let shift = 28; shift >= 0; shift -= 4) {
      if (isHyphenPlace(place)) place++
      printed[place++] = CODES[(word >>> shift) & 0xf] ?? 0
    }
  }
  return printed.toString('latin1')
}

/** Whether the first number of a uuid may be that of one that begins so; undefined if no uuid begins so. */
export function beginsLike(start: string): ((firstWord: number) => boolean) | undefined {
  const digits = /^[\da-f]{1,8}/.exec(start)?.[0] ?? ''
  if (digits.length < Math.min(start.length, 8)) return undefined
  if (digits.length === 0) return () => true
  const shift = 32 - 4 * digits.length
  const wanted = Number.parseInt(digits, 16)
  return (firstWord) => firstWord >>> shift === wanted
}

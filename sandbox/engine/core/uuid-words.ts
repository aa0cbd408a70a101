import type { Column } from './column.ts'

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

/** The uuid whose first number is at this place. */
export function formatUuid(words: Column, place: number): string {
  let digits = ''
  for (let index = 0; index < UUID_WORDS; index++)
    digits += words
      .get(place + index)
      .toString(16)
      .padStart(8, '0')
  const part = (start: number, end: number) => digits.slice(start, end)
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`
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

import type { Random } from './ports.ts'

/** Draws the same numbers for the same seed (mulberry32). */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return Object.assign(draw, {
    state: () => state,
    restore(earlier: number | null) {
      if (earlier !== null) state = earlier >>> 0
    },
  })
}

export interface Ids {
  readonly newId: () => string
  /** For objects with an integer id. */
  readonly newNumber: () => number
}

export function createIds(random: () => number): Ids {
  return {
    newId: () => newUuid(random),
    newNumber: () => 1_000_000 + Math.floor(random() * 8_000_000),
  }
}

function newUuid(random: () => number): string {
  let place = 0
  for (let number = 0; number < WORDS; number++) {
    const word = withVersion(number, Math.floor(random() * 2 ** 32))
    for (let shift = 28; shift >= 0; shift -= 4) {
      if (isHyphenPlace(place)) place++
      printed[place++] = CODES[(word >>> shift) & 0xf] ?? 0
    }
  }
  return printed.toString('latin1')
}

/** A UUID has four numbers of 32 bits. */
const WORDS = 4
const CODES = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
/** Printing a UUID in one piece takes a quarter of the memory. */
const printed = Buffer.alloc(36, '-')
const isHyphenPlace = (index: number) => index === 8 || index === 13 || index === 18 || index === 23

function withVersion(number: number, word: number): number {
  if (number === 1) return (word & 0xffff0fff) | 0x4000
  return number === 2 ? (word & 0x3fffffff) | 0x80000000 : word
}

import type { Random } from './ports.ts'

/** The same numbers for the same seed: mulberry32. */
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

/** What makes the ids of new objects, all drawn from one source. */
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

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** A version 4 UUID drawn from `random`. */
function newUuid(random: () => number): string {
  const bytes: number[] = []
  while (bytes.length < 16) {
    const word = Math.floor(random() * 2 ** 32)
    bytes.push((word >>> 24) & 0xff, (word >>> 16) & 0xff, (word >>> 8) & 0xff, word & 0xff)
  }
  const hex = bytes.map((byte, index) => {
    if (index === 6) return HEX[(byte & 0x0f) | 0x40]
    if (index === 8) return HEX[(byte & 0x3f) | 0x80]
    return HEX[byte]
  })
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map((part) => part.join(''))
    .join('-')
}

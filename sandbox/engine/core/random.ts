import type { Random } from './ports.ts'
import { formatUuid } from './uuid-words.ts'

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

/** A version 4 UUID drawn from `random`. */
function newUuid(random: () => number): string {
  let number = 0
  return formatUuid(() => {
    const word = Math.floor(random() * 2 ** 32)
    number++
    if (number === 2) return (word & 0xffff0fff) | 0x4000
    return number === 3 ? (word & 0x3fffffff) | 0x80000000 : word
  })
}

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
  const [first, second, third, fourth] = [
    drawWord(random),
    drawWord(random),
    drawWord(random),
    drawWord(random),
  ]
  const version = (second & 0xffff0fff) | 0x4000
  const variant = (third & 0x3fffffff) | 0x80000000
  return `${hex(first)}-${high(version)}-${low(version)}-${high(variant)}-${low(variant)}${hex(fourth)}`
}

const drawWord = (random: () => number) => Math.floor(random() * 2 ** 32)
const high = (word: number) => `${HEX[word >>> 24]}${HEX[(word >>> 16) & 0xff]}`
const low = (word: number) => `${HEX[(word >>> 8) & 0xff]}${HEX[word & 0xff]}`
const hex = (word: number) => high(word) + low(word)

import type { Random } from './ports.ts'

/** Creates a random generator that produces the same numbers for the same seed. The algorithm is mulberry32. */
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
  readonly newNumber: () => number
}

export function createIds(random: Random): Ids {
  const near = createNearNumbers(random)
  return {
    newId: () => newUuid(near, random),
    newNumber: () => 1_000_000 + Math.floor(near() * 8_000_000),
  }
}

/** The number of equal parts of [0, 1). */
const PARTS = 1_024
const NUMBERS_OF_A_PART = 256
/** The amount of unrelated numbers at the start. A small store has few pages, and people often read its ids. */
const UNRELATED = 1_024

/**
 * Draws 256 random numbers from one part of [0, 1), then 256 numbers from another part. The tables of the store are sorted by id,
 * so ids that begin alike change fewer pages. With a seed, the numbers are unrelated, so that the saved state can repeat them.
 */
function createNearNumbers(random: Random): () => number {
  let [count, part] = [0, 0]
  return () => {
    if (random.state() !== null || count++ < UNRELATED) return random()
    if (count % NUMBERS_OF_A_PART === 1) part = Math.floor(random() * PARTS)
    return (part + random()) / PARTS
  }
}

const HEX = Buffer.from('0123456789abcdef')
const uuid = Buffer.alloc(36, '-')
/** The place of each byte in a UUID. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34]

/** Returns a UUID. Writes bytes, because JSON.stringify() is slow for a text that was joined from parts. */
function newUuid(first: () => number, random: () => number): string {
  let word = 0
  for (let index = 0; index < 16; index++) {
    if (index % 4 === 0) word = Math.floor((index === 0 ? first : random)() * 2 ** 32)
    let byte = (word >>> (24 - 8 * (index % 4))) & 0xff
    if (index === 6) byte = (byte & 0x0f) | 0x40
    if (index === 8) byte = (byte & 0x3f) | 0x80
    const place = PLACES[index] ?? 0
    uuid[place] = HEX[byte >>> 4] ?? 0
    uuid[place + 1] = HEX[byte & 0x0f] ?? 0
  }
  return uuid.toString('latin1')
}

export function formatUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

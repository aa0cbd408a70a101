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

export function createIds(random: () => number): Ids {
  return {
    newId: () => newUuid(random),
    newNumber: () => 1_000_000 + Math.floor(random() * 8_000_000),
  }
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex16 = (word: number) => `${BYTES[word >>> 8]}${BYTES[word & 0xff]}`

/** Returns a UUID. The function is optimized, because each delivery needs a UUID. */
function newUuid(random: () => number): string {
  const word = () => Math.floor(random() * 2 ** 32)
  const [a, b, c, d] = [word(), word(), word(), word()]
  const version = hex16((b & 0x0fff) | 0x4000)
  const variant = hex16(((c >>> 16) & 0x3fff) | 0x8000)
  const last = `${hex16(c & 0xffff)}${hex16(d >>> 16)}${hex16(d & 0xffff)}`
  return `${hex16(a >>> 16)}${hex16(a & 0xffff)}-${hex16(b >>> 16)}-${version}-${variant}-${last}`
}

export function formatUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

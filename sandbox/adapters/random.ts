import { randomBytes } from 'node:crypto'

/** Uniform numbers in [0, 1) that nobody can foretell. */
export function unpredictable(): () => number {
  return () => randomBytes(4).readUInt32BE() / 2 ** 32
}

/** The same numbers for the same seed: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** 256 bits for a key or a token. */
export function secretBytes(): Uint8Array {
  return randomBytes(32)
}

/** 256 bits as text that fits a header. */
export function secretText(): string {
  return randomBytes(32).toString('base64url')
}

import { randomBytes } from 'node:crypto'
import type { Random } from '../ports.ts'

/** Numbers that nobody can foretell, until a world is put back whose numbers came from a seed. */
export function unpredictable(): Random {
  let restored: Random | undefined
  const draw = () => restored?.() ?? randomBytes(4).readUInt32BE() / 2 ** 32
  return Object.assign(draw, {
    state: () => restored?.state() ?? null,
    restore(earlier: number | null) {
      restored = earlier === null ? undefined : seeded(earlier)
    },
  })
}

/** The same numbers for the same seed: mulberry32. */
export function seeded(seed: number): Random {
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

/** 256 bits for a key or a token. */
export function secretBytes(): Uint8Array {
  return randomBytes(32)
}

/** 256 bits as text that fits a header. */
export function secretText(): string {
  return randomBytes(32).toString('base64url')
}

import { randomBytes } from 'node:crypto'
import { seeded } from '../engine/core/seeded-random.ts'
import type { Random } from '../engine/core/ports.ts'

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

/** 256 bits for a key or a token. */
export function secretBytes(): Uint8Array {
  return randomBytes(32)
}

/** 256 bits as text that fits a header. */
export function secretText(): string {
  return randomBytes(32).toString('base64url')
}

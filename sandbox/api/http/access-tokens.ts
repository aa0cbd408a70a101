import { errors, jwtVerify, SignJWT } from 'jose'
import type { RealTime } from '../../engine/core/ports.ts'

export interface AccessTokens {
  issue(lifetimeMs: number): Promise<string>
  /** At once if it was verified before. */
  verify(token: string): Verdict | Promise<Verdict>
}

export type Verdict = 'valid' | 'invalid' | 'expired'

/** How many tokens are remembered as verified, so that a signature is not computed at each call. */
const MOST_REMEMBERED = 1_000

/** Signed tokens that live in real time. Reading: access-token-lifetime, clocks */
export function createAccessTokens(key: Uint8Array, realTime: RealTime, newId: () => string): AccessTokens {
  const expiryByToken = new Map<string, number>()

  async function verifySignature(token: string): Promise<Verdict> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        currentDate: new Date(realTime.now()),
      })
      if (expiryByToken.size >= MOST_REMEMBERED) expiryByToken.clear()
      expiryByToken.set(token, (payload.exp ?? 0) * 1_000)
      return 'valid'
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
    }
  }

  return {
    issue(lifetimeMs) {
      const issuedAt = Math.floor(realTime.now() / 1_000)
      return new SignJWT({ jti: newId() })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + Math.ceil(lifetimeMs / 1_000))
        .sign(key)
    },
    verify(token) {
      const expiry = expiryByToken.get(token)
      if (expiry === undefined) return verifySignature(token)
      return realTime.now() < expiry ? 'valid' : 'expired'
    },
  }
}

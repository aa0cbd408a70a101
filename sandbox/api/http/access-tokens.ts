import { errors, jwtVerify, SignJWT } from 'jose'
import type { RealTime } from '../../engine/core/ports.ts'

export type AccessTokens = ReturnType<typeof createAccessTokens>

interface Issuer {
  readonly realTime: Pick<RealTime, 'now'>
  readonly newId: () => string
  /** The id of the world that issues the tokens. Defaults to the default world. */
  readonly world?: string | undefined
}

type TokenStatus = 'valid' | 'invalid' | 'expired'

/** The maximum number of verified tokens that are remembered. The signature of a remembered token need not be verified again. */
const MAX_REMEMBERED = 1_000

/** Issues and verifies signed tokens, which expire in real time. Reading: access-token-lifetime, clocks */
export function createAccessTokens(key: Uint8Array, { realTime, newId, world }: Issuer) {
  const expiryByToken = new Map<string, number>()

  async function verifySignature(token: string): Promise<TokenStatus> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        currentDate: new Date(realTime.now()),
      })
      // Compares the token's world with this world, because all worlds sign with the same key.
      if (payload['world'] !== world) return 'invalid'
      if (expiryByToken.size >= MAX_REMEMBERED) expiryByToken.clear()
      expiryByToken.set(token, (payload.exp ?? 0) * 1_000)
      return 'valid'
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
    }
  }

  return {
    issue(lifetimeMs: number): Promise<string> {
      const issuedAt = Math.floor(realTime.now() / 1_000)
      return new SignJWT({ jti: newId(), ...(world !== undefined && { world }) })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + Math.ceil(lifetimeMs / 1_000))
        .sign(key)
    },
    verify(token: string): TokenStatus | Promise<TokenStatus> {
      const expiry = expiryByToken.get(token)
      if (expiry === undefined) return verifySignature(token)
      return realTime.now() < expiry ? 'valid' : 'expired'
    },
  }
}

/** Returns the world that an access token names, without verifying the token. Returns undefined if the token names no world. */
export function readWorldClaim(token: string): string | undefined {
  const [, payload = ''] = token.split('.', 2)
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const world: unknown = Object(claims).world
    return typeof world === 'string' ? world : undefined
  } catch {
    return undefined
  }
}

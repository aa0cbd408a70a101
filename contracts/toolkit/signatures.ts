import { signatureHeader } from '../../spec/signature.ts'
import type { MakeSignature } from './check-context.ts'

/** Signs as the service does, at another moment. */
export function signedAt(secondsFromNow: number): MakeSignature {
  return ({ secret, now, body }) => signatureHeader([secret], now + secondsFromNow, body)
}

/** Signs as the service does: for what it does not sign. */
export const signedNow: MakeSignature = signedAt(0)

/** Signs with these secrets, in their order. */
export function signedWith(secretsOf: (own: string) => readonly string[]): MakeSignature {
  return ({ secret, now, body }) => signatureHeader(secretsOf(secret), now, body)
}

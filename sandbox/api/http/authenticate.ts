import type { Credentials } from '../../engine/core/settings.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { HttpRequest } from '../../engine/core/http.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import { isSameSecret } from '../../engine/core/secret-strength.ts'
import { formatUser } from '../../engine/state/world-record.ts'
import type { OperationRow } from '../../../spec/rows.ts'

export interface Keys {
  readonly accessTokens: AccessTokens
  readonly credentials: Credentials
  readonly benchToken: string
  readonly rootToken?: string | undefined
  readonly everyCallNeedsToken: boolean
}

/** Returns the caller. Returns undefined for an operation without authentication. Throws ApiError `unauthorized`. Source: §5 */
export async function authenticate(
  row: OperationRow,
  { header }: HttpRequest,
  keys: Keys,
): Promise<string | undefined> {
  // Requires a token even for a public operation, so that other machines do not learn whether the bench is ready. Our choice.
  const isAsked = keys.everyCallNeedsToken && row.auth.length === 0 && row.errors === 'control'
  const auth = isAsked ? ['token'] : row.auth
  if (auth.length === 0) return undefined
  const authorization = parseAuthorization(header('authorization') ?? '')
  const refusal = auth.includes('token')
    ? findTokenRefusal(authorization, keys)
    : await findRefusal(auth, authorization, keys)
  if (refusal !== undefined) throw new ApiError('unauthorized', refusal)
  return authorization.scheme === 'basic' ? keys.credentials.email : keys.credentials.client_id
}

export interface Authorization {
  readonly scheme: string
  readonly value: string
}

export function parseAuthorization(header: string): Authorization {
  const gap = /\s+/.exec(header)
  if (!gap) return { scheme: header.toLowerCase(), value: '' }
  return { scheme: header.slice(0, gap.index).toLowerCase(), value: header.slice(gap.index + gap[0].length) }
}

interface Refusal {
  readonly message: string
  readonly hint?: string
}

const END = /\.(\d{12,15})$/

/** Appends the world's expiry time in epoch milliseconds, so that the error for an expired token can name this time. */
export function addEnd(token: string, endsAt: number | null): string {
  return endsAt === null ? token : `${token}.${endsAt}`
}

function findTokenRefusal(
  { scheme, value }: Authorization,
  { benchToken, rootToken = benchToken }: Keys,
): Refusal | undefined {
  if (
    scheme === 'bearer' &&
    value !== '' &&
    (isSameSecret(value, rootToken) || isSameSecret(value, benchToken))
  )
    return undefined
  const end = END.exec(value)?.[1]
  if (end !== undefined)
    return {
      message: `The world of this token no longer exists: its --ttl ended at ${timestamp(Number(end))}, or the world was removed earlier`,
      hint: 'add the world again with "npx hookbench worlds add", and use its new token',
    }
  const hint =
    'send `Authorization: Bearer` with the token of the data folder, or set HOOKBENCH_URL and HOOKBENCH_TOKEN'
  return {
    message: value === '' ? 'The request has no token' : 'The token is not the token of this sandbox',
    hint,
  }
}

async function findRefusal(
  auth: readonly string[],
  { scheme, value }: Authorization,
  { accessTokens, credentials }: Keys,
): Promise<Refusal | undefined> {
  if (auth.includes('basic') && scheme === 'basic')
    return isSameSecret(decodeUser(value), formatUser(credentials.email, credentials.api_token))
      ? undefined
      : { message: 'invalid credentials' }
  if (scheme !== 'bearer' || value === '') return { message: 'empty token' }
  const status = await accessTokens.verify(value)
  if (status === 'valid') return undefined
  return { message: status === 'expired' ? 'token expired' : 'invalid token' }
}

export function decodeUser(value: string): string {
  return Buffer.from(value, 'base64').toString('utf8')
}

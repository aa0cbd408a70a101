import type { NotifiedType } from '../../spec/types.ts'
import { readField, isRecord, isString } from './notification.ts'

/** How the service is asked back. */
export interface ServiceOptions {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** After so many milliseconds a call is given up, to be made again later. */
  readonly timeoutMs: number
}

/** What the service showed. */
export type ShowResult =
  { readonly kind: 'shown'; readonly body: unknown } | { readonly kind: 'missing' } | Unavailable

export interface Unavailable {
  readonly kind: 'unavailable'
  /** Undefined if it did not answer in time, or not at all. */
  readonly status: number | undefined
  /** How long it asks us to wait; 0 if it does not. */
  readonly retryAfterMs: number
}

export interface ServiceClient {
  /** Never rejects: a service that fails is unavailable for now. */
  show(path: string): Promise<ShowResult>
}

/**
 * The path that shows an object: of the notification only type and id, never a link. Undefined for an id that cannot be one
 * segment of a path, however it is written: nothing is asked then. Source: §4, §5
 */
export function objectPath(type: NotifiedType, id: string): string | undefined {
  if (id === '.' || id === '..') return undefined
  return `/${type}/${encodeURIComponent(id)}`
}

/** The token that calls are made with. */
export interface TokenCache {
  /** One for all calls; one that could not be had is asked for again by the next. */
  current(): Promise<string>
  /** Whoever notices first that it has expired throws it away; the others find the new one. */
  forget(old: Promise<string>): void
}

/** `stopped` ends what is under way. */
export function createTokenCache(options: ServiceOptions, stopped: AbortSignal): TokenCache {
  let token: Promise<string> | undefined
  function forget(old: Promise<string>): void {
    if (token === old) token = undefined
  }
  return {
    current() {
      if (token) return token
      const granted = requestToken(options, deadline(options, stopped))
      token = granted
      granted.catch(() => forget(granted))
      return granted
    },
    forget,
  }
}

/** `stopped` ends the calls that are under way. */
export function createServiceClient(
  options: ServiceOptions,
  tokens: TokenCache,
  stopped: AbortSignal,
): ServiceClient {
  async function call(path: string, granted: Promise<string>): Promise<Response> {
    const authorization = `Bearer ${await granted}`
    return fetch(`${options.url}${path}`, {
      headers: { authorization, accept: 'application/json' },
      redirect: 'manual',
      signal: deadline(options, stopped),
    })
  }

  return {
    async show(path) {
      try {
        const granted = tokens.current()
        const first = await toShowResult(await call(path, granted))
        const isRefused = first.kind === 'unavailable' && (first.status === 401 || first.status === 403)
        if (!isRefused) return first
        tokens.forget(granted)
        return await toShowResult(await call(path, tokens.current()))
      } catch {
        return { kind: 'unavailable', status: undefined, retryAfterMs: 0 }
      }
    },
  }
}

function deadline({ timeoutMs }: ServiceOptions, stopped: AbortSignal): AbortSignal {
  return AbortSignal.any([stopped, AbortSignal.timeout(timeoutMs)])
}

async function toShowResult(response: Response): Promise<ShowResult> {
  if (response.status === 200) return { kind: 'shown', body: await response.json() }
  if (await isMissing(response)) return { kind: 'missing' }
  await response.body?.cancel()
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return {
    kind: 'unavailable',
    status: response.status,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
  }
}

/** A 401 with this code is of an object that the service does not know: another token would not help. */
const UNKNOWN_OBJECT_CODE = 405

async function isMissing(response: Response): Promise<boolean> {
  if (response.status !== 401) return response.status === 404
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return isRecord(body) && readField(body, 'code') === UNKNOWN_OBJECT_CODE
}

/** Rejects if the service gives none now. */
async function requestToken(options: ServiceOptions, signal: AbortSignal): Promise<string> {
  const { url, clientId: client_id, clientSecret: client_secret } = options
  const response = await fetch(`${url}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret, scope: 'receiver' }),
    signal,
  })
  const body: unknown = await response.json()
  const token = isRecord(body) ? readField(body, 'access_token') : undefined
  if (!isString(token)) throw new Error(`Cannot get a token: the service answered ${response.status}`)
  return token
}

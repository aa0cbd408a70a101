import type { IncomingHttpHeaders } from 'node:http'
import type { Processor } from './processor.ts'
import { carefulPolicy, type Policy } from './policy.ts'
import { type Generation, isNotifiedType, type Route } from './notification.ts'
import { isSameText } from './signature.ts'

/** A request, as any HTTP library can hand it over. */
export interface IncomingRequest {
  readonly method: string
  /** Without a query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Where it comes from: the address of the socket, or what a trusted proxy says. */
  readonly from: string | undefined
  /** Undefined if it is longer than `BODY_LIMIT`. */
  readonly body: Uint8Array | undefined
  /** Resolves with whether the sender was still there for the answer. */
  readonly answered: Promise<boolean>
}

/** A status and next to nothing else: an answer says nothing about the receiver. */
export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Endpoint = (request: IncomingRequest) => Answer | Promise<Answer>

export interface EndpointOptions {
  /** The part of the receiver's addresses that nobody can guess. */
  readonly token: string
  /** The addresses that each generation is sent from; anybody if left out. */
  readonly allowed?: { readonly [Each in Generation]: readonly string[] } | undefined
  /** What webhooks are signed with; several while it changes. Signatures are not looked at if left out. */
  readonly secrets?: readonly string[] | undefined
  /** Epoch milliseconds; the time of the machine if left out. */
  readonly clock?: (() => number) | undefined
}

/** Larger than anything that the service sends, and small enough to be held in memory. */
export const BODY_LIMIT = 1_048_576

const FOLDERS: Readonly<Record<string, Generation>> = { notifications: 'webhooks', callbacks: 'callbacks' }

/** Answers as soon as a notification is kept; nothing else is done while the sender waits. */
export function createEndpoint(
  processor: Pick<Processor, 'accept'>,
  options: EndpointOptions,
  policy: Policy = carefulPolicy,
): Endpoint {
  const { token, allowed, secrets, clock = Date.now } = options
  return ({ method, path, headers, from, body }) => {
    const route = parseRoute(path, token)
    if (!route) return { status: 404 }
    if (allowed && !allowed[route.generation].includes(from ?? '')) return { status: 403 }
    if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
    if (body === undefined) return { status: 413 }
    // Callbacks are never signed.
    if (secrets && route.generation === 'webhooks') {
      const header = headers['webhooks-signature']?.toString()
      if (!policy.isSigned({ header, body, now: clock() }, secrets)) return { status: 401 }
    }
    if (!isJson(headers['content-type'])) return { status: 415 }
    const text = decodeText(body)
    const meaning =
      text === undefined ? undefined : interpretJson(text, (read) => policy.interpretBody(read, route))
    if (text === undefined || !meaning || meaning.kind === 'foreign') return { status: 400 }
    if (meaning.kind === 'notification') processor.accept({ ...route, id: meaning.id, body: text })
    return { status: 204 }
  }
}

/** `/notifications/{object_type}/{token}` for webhooks, `/callbacks/…` for callbacks. Source: §5 */
function parseRoute(path: string, token: string): Route | undefined {
  const [root, folder = '', type = '', given = '', ...rest] = path.split('/')
  const generation = Object.hasOwn(FOLDERS, folder) ? FOLDERS[folder] : undefined
  if (root !== '' || rest.length > 0 || !generation || !isNotifiedType(type) || !isSameText(given, token))
    return undefined
  return { generation, type }
}

/** With or without a charset. */
function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;|$)/i.test(contentType ?? '')
}

/** Undefined if it is not UTF-8. */
export function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Undefined if it is not JSON. */
function interpretJson<Read>(text: string, read: (body: unknown) => Read): Read | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return undefined
  }
  return read(body)
}

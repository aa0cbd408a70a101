import type { Exchange } from '../../../contracts/finding.ts'
import type { OddRequest } from '../../../contracts/probes/raw-request.ts'
import type { CheckContext } from '../../../contracts/toolkit/check-context.ts'
import type { Profile } from '../../../contracts/toolkit/options.ts'
import type { EffectState } from '../../../contracts/toolkit/ports.ts'
import type { HttpMessage, Outcome } from '../../../sandbox/engine/core/ports.ts'
import { sendingAddresses, type Generation } from '../../../spec/delivery.ts'
import { isNotifiedType, type NotifiedType } from '../../../spec/notifications.ts'
import type { testSandbox } from '../../support/test-sandbox.ts'

export interface Incoming {
  readonly method: string
  readonly url: string
  /** The object type in the URL. Undefined for a URL without a type. */
  readonly type: NotifiedType | undefined
  readonly generation: Generation
  /** The headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly from: string | undefined
}

/** The response of a scripted receiver, or the reason for a missing response. */
export type Reply =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly tookMs?: number
    }
  | { readonly reason: string }

export interface Desk {
  /** Calls the service. The status is 0 if no response arrives in time. */
  call(path: string): Promise<{ readonly status: number; readonly body: string }>
  /** Simulates a call to any URL, and records calls to canary URLs. */
  visit(url: string, authorization?: string): void
  /** The effects by object type and ID. All IDs of an object map to the same effects. */
  readonly ledger: Map<string, EffectState>
}

export type Receive = (request: Incoming, desk: Desk) => Reply | Promise<Reply>

export const CANARY = 'http://127.0.0.1:1/canary/'
export const SOURCE_HEADER = 'x-test-source'
export const GONE = { reason: 'connect_refused' }

type Urls = CheckContext['receiver']

function pathsInFolder(url: string, urls: Urls) {
  return (['webhooks', 'callbacks'] as const).flatMap((generation) =>
    urls
      .types(generation)
      .filter((type) => urls.url(type, generation) === url)
      .map((type) => ({ type, generation })),
  )
}

export function delivered({ url, headers, body }: HttpMessage, urls: Urls, profile: Profile): Incoming {
  const { [SOURCE_HEADER]: from, ...named } = inLowerCase(headers)
  const text = new TextDecoder().decode(body)
  return incoming({ method: 'POST', url, headers: named, body: text, from }, urls, profile)
}

export function requested(request: OddRequest, urls: Urls, profile: Profile): Incoming {
  const { method, url, headers = {}, body = '', isChunked, from } = request
  const framed = { ...inLowerCase(headers), ...(isChunked === true && { 'transfer-encoding': 'chunked' }) }
  return incoming({ method, url, headers: framed, body, from: from ?? request.sourceAddress }, urls, profile)
}

function inLowerCase(headers: Incoming['headers']): Incoming['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function incoming(
  request: Omit<Incoming, 'type' | 'generation'>,
  urls: Urls,
  { readings }: Profile,
): Incoming {
  const places = pathsInFolder(request.url, urls)
  const isFrom = (generation: Generation) =>
    request.from === undefined || sendingAddresses(generation, readings).includes(request.from)
  const place = places.find(({ generation }) => isFrom(generation)) ?? places[0]
  const generation = place?.generation ?? 'webhooks'
  const type = place && isNotifiedType(place.type) ? place.type : undefined
  return { ...request, type, generation, from: request.from ?? sendingAddresses(generation, readings)[0] }
}

export function toOutcome(reply: Reply): Outcome {
  if ('reason' in reply) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- scripts use only the service's failure reasons
    const reason = reply.reason as Extract<Outcome, { kind: 'unanswered' }>['reason']
    return { kind: 'unanswered', reason, message: `${reason}: it is scripted so` }
  }
  const { status, headers = {}, body = '' } = reply
  return { kind: 'answered', status, headers: Object.entries(headers), body: new TextEncoder().encode(body) }
}

export function toExchange(
  { label, method, url, headers = {}, body = '', about }: OddRequest,
  reply: Reply,
): Exchange {
  const request = { method, url, headers: Object.entries(headers), body }
  const common = { label, ...(about && { about }), request, flags: [], tookMs: 1 }
  if ('reason' in reply) {
    const { reason } = reply
    return { ...common, status: null, reason, message: `${reason}: it is scripted so`, response: null }
  }
  const { status, tookMs = 1, headers: answered = {}, body: text = '' } = reply
  const response = { status, headers: Object.entries(answered), body: text }
  return { ...common, tookMs, status, reason: null, message: `answered ${status}`, response }
}

/** The timeout of a call from the receiver to the service, in milliseconds. */
const TIMEOUT_MS = 200

export function deskOf(
  { service }: Pick<ReturnType<typeof testSandbox>, 'service'>,
  hits: { path: string; authorization: string | undefined }[],
): Desk {
  const authorization = `Basic ${btoa('sandbox@example.test:sandbox-token')}`
  return {
    ledger: new Map(),
    visit(url, given) {
      if (url.startsWith(CANARY)) hits.push({ path: new URL(url).pathname, authorization: given })
    },
    async call(path) {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const late = new Promise<Response>((resolve) =>
        signal.addEventListener('abort', () => resolve(Response.error())),
      )
      const request = new Request(`http://service.test${path}`, { headers: { authorization }, signal })
      const response = await Promise.race([service(request).catch(() => Response.error()), late])
      return { status: response.status, body: await response.text() }
    },
  }
}

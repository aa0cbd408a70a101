import type { Exchange, ObjectRef } from '../../../contracts/finding.ts'
import type { CheckContext, PostRequest, RawRequest } from '../../../contracts/toolkit/check-context.ts'
import type { Profile } from '../../../contracts/toolkit/options.ts'
import type { EffectState, TlsProbe } from '../../../contracts/toolkit/ports.ts'
import { createSeededRandom } from '../../../sandbox/engine/core/random.ts'
import { isSuccess, sendingAddresses, type Generation } from '../../../spec/delivery.ts'
import { DELIVERY } from '../../../spec/generated/delivery.ts'
import { isNotifiedType, notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import { readingValues } from '../../../spec/readings.ts'
import { SIGNATURE_HEADER } from '../../../spec/signature-header.ts'
import { signatureHeader } from '../../../spec/signature.ts'
import { createFakeService, type FakeService } from './fake-service.ts'

/** A request as a scripted receiver sees it. */
export interface Incoming {
  readonly method: string
  readonly url: string
  /** The type that the URL is of; undefined if it is none of the receiver's. */
  readonly type: NotifiedType | undefined
  readonly generation: Generation
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly from: string | undefined
}

/** What a scripted receiver answers, or why there is no answer. */
export type Reply =
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly tookMs?: number
    }
  | { readonly reason: string }

/** What a scripted receiver has at hand. */
export interface Desk {
  /** Asks the service; status 0 where it does not answer in time. */
  call(path: string): Promise<{ readonly status: number; readonly body: string }>
  /** Calls any address, canaries among them. */
  visit(url: string, authorization?: string): void
  /** Keeps what the platform did and believes; both ids of an object name the same. */
  readonly ledger: Map<string, EffectState>
}

export type Receive = (request: Incoming, desk: Desk) => Reply | Promise<Reply>

export interface FakeOptions {
  readonly receive: Receive
  /** The types that it has a URL for; all if left out. */
  readonly types?: readonly NotifiedType[]
  readonly callbacks?: boolean
  /** In place of `https://receiver.test/…`, with `{object_type}`. */
  readonly template?: string
  readonly observe?: { readonly effects?: boolean; readonly calls?: boolean; readonly process?: boolean }
  /** Looks for what was missed; what went wrong. */
  readonly reconcile?: (desk: Desk) => Promise<string | undefined>
  readonly tls?: TlsProbe
  readonly profile?: Partial<Profile>
  readonly readings?: Readonly<Record<string, string>>
}

export const TOKEN = '3f9c1d2ab47e80513f9c1d2ab47e8051'
const TEMPLATES = {
  webhooks: `https://receiver.test/notifications/{object_type}/${TOKEN}`,
  callbacks: `https://receiver.test/callbacks/{object_type}/${TOKEN}`,
}
const done = () => Promise.resolve()
const NO_WAITS = { rest: done, pauseBetween: done, restOfRun: done, pause: done }
const CANARY = 'http://127.0.0.1:1/canary/'

/** The context of one check, over a service in this process and a receiver that does as it is scripted. */
export async function fakeContext(options: FakeOptions): Promise<CheckContext> {
  const given = await createFakeService(options.readings, options.profile?.consequences)
  const { effects = true, calls = true, process = true } = options.observe ?? {}
  const profile = profileOf(options)
  const urls = urlsOf(options)
  const hits: { path: string; authorization: string | undefined }[] = []
  const desk = deskOf(given, hits)
  let running = true

  async function exchange(request: RawRequest & SentFrom): Promise<Exchange> {
    const reply = running ? await options.receive(incoming(request, urls, profile), desk) : GONE
    return toExchange(request, reply)
  }
  const post = (request: PostRequest) => {
    const body = typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body)
    const headers = { ...JSON_TYPE, ...(profile.signed && signatureOf(request)), ...request.headers }
    return exchange({ ...request, method: 'POST', headers, body })
  }
  const context: CheckContext = {
    profile,
    receiver: urls,
    service: given.service,
    messageFor: given.messageFor,
    random: createSeededRandom(1),
    post,
    send: ({ type, id, label, body }, sending = {}) =>
      post({ label, ...sending, body, url: urls.url(type, sending.generation), about: { type, id } }),
    async sendUntilAccepted(message, sending) {
      let sent = await context.send(message, sending)
      for (let times = 1; times < 4 && !isSuccess(sent.status ?? 0); times++)
        sent = await context.send(message, sending)
      return sent
    },
    request: async (request) => {
      const sent = await exchange(request)
      const isKept = request.hangUpOnCallFor === undefined || (sent.status ?? 0) >= 400
      return isKept ? sent : { ...sent, ...unanswered('send_timeout') }
    },
    probeTls: () => Promise.resolve(options.tls ?? GOOD_TLS),
    effects: watchEffects(desk, effects),
    calls: watchCalls(given, calls),
    ...NO_WAITS,
    elapsed: () => 0,
    note: () => {},
    atEnd: () => {},
    exploration: { forMs: 0, kept: () => [], keep: () => {}, bounds: undefined },
    fork: () => ({ context, adopt: () => {}, close: () => Promise.resolve() }),
    canary: () => Promise.resolve({ url: `${CANARY}${hits.length}`, hits: () => hits }),
    reconcile: { observable: true, run: async () => options.reconcile?.(desk) },
    process: {
      observable: process,
      stop: async () => void (running = false),
      start: async () => void (running = true),
    },
  }
  return context
}

/** What webhooks are signed with where they are. */
export const SECRET = 'the-secret-of-the-fake-world-and-no-other'

function signatureOf({ body, generation, signature }: PostRequest): Readonly<Record<string, string>> {
  if (signature === null || (signature === undefined && generation === 'callbacks')) return {}
  const now = Math.floor(Date.now() / 1_000)
  const make = signature ?? (() => signatureHeader([SECRET], now, body))
  return { [SIGNATURE_HEADER]: make({ secret: SECRET, now, body }) }
}

interface SentFrom {
  readonly generation?: Generation
  readonly sourceAddress?: string
  readonly role?: Exchange['role']
}

const JSON_TYPE = { 'content-type': 'application/json' }
const GONE = { reason: 'connect_refused' }

const DAY_MS = 86_400_000
const leaf = (subject: string, issuer: string) => ({
  subject,
  issuer,
  notBefore: new Date(Date.now() - DAY_MS).toISOString(),
  notAfter: new Date(Date.now() + 90 * DAY_MS).toISOString(),
  names: ['receiver.test'],
})

/** What a receiver shows whose certificate is in order. */
export const GOOD_TLS = {
  kind: 'seen',
  protocol: 'TLSv1.3',
  seenAt: new Date().toISOString(),
  chain: [leaf('CN=receiver.test', 'CN=Intermediate'), leaf('CN=Intermediate', 'CN=Root')],
  distrust: null,
  message: 'It is trusted',
} satisfies TlsProbe

function profileOf({ profile, readings }: FakeOptions): Profile {
  return {
    readings: readingValues(readings),
    callsBack: true,
    unused: [],
    consequences: {},
    source: undefined,
    signed: false,
    budgetMs: 10_000,
    warnMs: 5_000,
    ...profile,
  }
}

function urlsOf({
  types = notifiedTypes,
  callbacks = true,
  template,
}: FakeOptions): CheckContext['receiver'] {
  const typesOf = (generation: Generation) => {
    const heard: readonly string[] = DELIVERY.object_types[generation].value
    return types.filter((type) => heard.includes(type) && (generation === 'webhooks' || callbacks))
  }
  return {
    types: (generation = 'webhooks') => typesOf(generation),
    url(type, generation = 'webhooks') {
      if (!typesOf(generation).includes(type))
        throw new RangeError(`There is no URL of ${generation} of ${type}`)
      return (template ?? TEMPLATES[generation]).replace('{object_type}', type)
    },
  }
}

function incoming(
  { method, url, headers = {}, body = '', isChunked, generation, sourceAddress }: RawRequest & SentFrom,
  urls: CheckContext['receiver'],
  { readings }: Profile,
): Incoming {
  const places = (['webhooks', 'callbacks'] as const).flatMap((each) =>
    urls.types(each).map((type) => ({ type, generation: each, url: urls.url(type, each) })),
  )
  const place = places.find((each) => each.url === url)
  const sender = generation ?? place?.generation ?? 'webhooks'
  return {
    method,
    url,
    type: place && isNotifiedType(place.type) ? place.type : undefined,
    generation: sender,
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      ...(isChunked === true && { 'transfer-encoding': 'chunked' }),
    },
    body,
    from: sourceAddress ?? sendingAddresses(sender, readings)[0],
  }
}

function unanswered(reason: string) {
  return { status: null, reason, message: `${reason}: it is scripted so`, response: null } as const
}

function toExchange(
  { label, method, url, headers = {}, body = '', about, role }: RawRequest & SentFrom,
  reply: Reply,
): Exchange {
  const request = { method, url, headers: Object.entries(headers), body }
  const common = { label, ...(about && { about }), ...(role && { role }), request, flags: [], tookMs: 1 }
  if ('reason' in reply) return { ...common, ...unanswered(reply.reason) }
  const { status, tookMs = 1, headers: answered = {}, body: text = '' } = reply
  const response = { status, headers: Object.entries(answered), body: text }
  return { ...common, tookMs, status, reason: null, message: `answered ${status}`, response }
}

/** A receiver that waits longer than this for the service gives up. */
const TIMEOUT_MS = 200

function deskOf({ sandbox }: FakeService, hits: { path: string; authorization: string | undefined }[]): Desk {
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
      const request = new Request(`${sandbox.origin}${path}`, { headers: { authorization }, signal })
      const response = await Promise.race([sandbox.fetch(request).catch(() => Response.error()), late])
      return { status: response.status, body: await response.text() }
    },
  }
}

const NOTHING: EffectState = { effects: 0, state: null }

function watchEffects({ ledger }: Desk, observable: boolean): CheckContext['effects'] {
  const read = async ({ type, id }: ObjectRef) => ledger.get(`${type} ${id}`) ?? NOTHING
  const delay = () => ({ latestMs: 40, waitedMs: 5_000 })
  return { observable, read, settle: read, settleState: read, reach: read, reachState: read, delay }
}

function watchCalls({ sandbox, isKnown }: FakeService, observable: boolean): CheckContext['calls'] {
  const about = ({ type, id }: ObjectRef) => sandbox.requests({ object_type: type, object_id: id })
  return {
    observable,
    about,
    settle: about,
    settleAtMost: about,
    outlast: about,
    // A receiver has to get its token; the receivers of the fake world were registered before.
    strays: async () =>
      (await sandbox.requests())
        .filter(({ operation }) => operation !== 'createToken' && operation !== 'createWebhook')
        .filter(({ object_id }) => object_id === null || !isKnown(object_id)),
  }
}

import { setImmediate as turn } from 'node:timers/promises'
import { createCallFeed } from '../../../contracts/run/activity.ts'
import { createCheckContext } from '../../../contracts/run/create-check-context.ts'
import { createEffectDelay } from '../../../contracts/run/effect-delay.ts'
import { receiverUrls } from '../../../contracts/run/receiver-urls.ts'
import type { Service } from '../../../contracts/run/service.ts'
import { createSigning } from '../../../contracts/run/signing.ts'
import { createSilence } from '../../../contracts/run/silence.ts'
import { listCalls } from '../../../contracts/run/watches.ts'
import type { Exchange } from '../../../contracts/finding.ts'
import type { OddRequest } from '../../../contracts/probes/raw-request.ts'
import type { CheckContext } from '../../../contracts/toolkit/check-context.ts'
import type { Profile, RunOptions } from '../../../contracts/toolkit/options.ts'
import { ProbeError, type EffectState, type TlsProbe } from '../../../contracts/toolkit/ports.ts'
import type { Transport } from '../../../sandbox/engine/core/ports.ts'
import { createEgress } from '../../../sandbox/engine/delivery/egress.ts'
import { type Generation } from '../../../spec/delivery.ts'
import { DELIVERY } from '../../../spec/generated/delivery.ts'
import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import { readingValues } from '../../../spec/readings.ts'
import { testSandbox } from '../../support/test-sandbox.ts'
import { OWN_SERVICE, profileOf, receiverOptions } from './run-options.ts'
import {
  CANARY,
  delivered,
  deskOf,
  GONE,
  requested,
  SOURCE_HEADER,
  toExchange,
  toOutcome,
  type Desk,
  type Receive,
} from './scripted-receiver.ts'

export interface ContextOptions {
  readonly receive: Receive
  /** The object types for which the receiver has a URL. Defaults to all types. */
  readonly types?: readonly NotifiedType[]
  readonly callbacks?: boolean
  /** The URL template with `{object_type}`. Defaults to `https://receiver.test/…`. */
  readonly template?: string
  readonly observe?: { readonly effects?: boolean; readonly calls?: boolean; readonly process?: boolean }
  /** Searches for missed notifications. Returns an error message if the search failed. */
  readonly reconcile?: (desk: Desk) => Promise<string | undefined>
  readonly tls?: TlsProbe
  readonly profile?: Partial<Profile>
  readonly readings?: Readonly<Record<string, string>>
}

export const TOKEN = '3f9c1d2ab47e80513f9c1d2ab47e8051'
export const SECRET = 'the-secret-of-the-scripted-world-and-no-other'
const TEMPLATES = {
  webhooks: `https://receiver.test/notifications/{object_type}/${TOKEN}`,
  callbacks: `https://receiver.test/callbacks/{object_type}/${TOKEN}`,
}
const NOTHING: EffectState = { effects: 0, state: null }

/** Opens a context with an in-process sandbox on virtual time and a scripted receiver. */
export async function openContext(options: ContextOptions): Promise<CheckContext> {
  const { effects = true, calls = true, process = true } = options.observe ?? {}
  const profile = profileOf({
    readings: readingValues(options.readings),
    callsBack: calls,
    ...options.profile,
  })
  const runOptions = runOptionsOf(options, profile)
  const urls = receiverUrls(runOptions.receiver)
  const hits: { path: string; authorization: string | undefined }[] = []
  let running = true
  const transport: Transport = {
    async post(message) {
      const reply = running ? await options.receive(delivered(message, urls, profile), desk) : GONE
      const answeredMs = 'status' in reply ? (reply.tookMs ?? 1) : null
      return {
        outcome: toOutcome(reply),
        timings: { connectedMs: 0, answeredMs, totalMs: answeredMs ?? 1 },
        flags: [],
      }
    },
  }
  const sandbox = testSandbox({
    sendThrough: transport,
    source: { kind: 'header', name: SOURCE_HEADER },
    egress: createEgress({ allowTargets: ['receiver.test'], ownPorts: () => [] }),
    ...(options.readings && { readings: options.readings }),
  })
  const desk = deskOf(sandbox, hits)
  const { perform } = sandbox
  let now = 0
  const elapsed = () => now
  async function pause(ms: number): Promise<void> {
    now += ms
    sandbox.realTime.move(ms)
    await turn()
  }
  const unused = () => Promise.reject(new Error('A check does not call it'))
  const service: Service = {
    perform,
    url: 'http://service.test',
    readings: profile.readings,
    translator: sandbox.context.translator,
    passTime: async (ms) => (await perform('advanceClock', { body: { by: `${ms}ms` } })).now,
    trustedCas: [],
    webhooks: unused,
    close: unused,
  }
  async function odd(request: OddRequest): Promise<Exchange> {
    const reply = running ? await options.receive(requested(request, urls, profile), desk) : GONE
    if (!request.hangUpWhen || !('status' in reply) || reply.status >= 400) return toExchange(request, reply)
    await request.hangUpWhen()
    return toExchange(request, { reason: 'send_timeout' })
  }
  async function run(command: string): Promise<string> {
    if (command === 'reconcile') {
      const error = await options.reconcile?.(desk)
      if (error !== undefined) throw new ProbeError(error)
    } else running = command === 'start'
    return ''
  }
  const { context } = createCheckContext('a check', {
    elapsed,
    pause,
    options: {
      ...runOptions,
      process: process ? { stop: 'stop', start: 'start' } : undefined,
      reconcile: { kind: 'command', command: 'reconcile' },
    },
    service,
    profile,
    delay: createEffectDelay(runOptions),
    urls,
    trustedCas: [],
    probe: effects ? async (type, id) => desk.ledger.get(`${type} ${id}`) ?? NOTHING : undefined,
    known: new Set(),
    feed: createCallFeed((number) => listCalls(service, {}, number)),
    inTurn: (work) => work(),
    odd,
    isListening: async () => false,
    handshake: async () => options.tls ?? GOOD_TLS,
    canary: async () => ({ url: `${CANARY}${hits.length}`, hits: () => hits }),
    now: () => new Date().toISOString(),
    sign: createSigning(runOptions.secret, () => new Date().toISOString()),
    silence: createSilence(),
    shell: { run, close() {} },
    exploration: { forMs: 0, kept: () => [], keep() {}, bounds: undefined },
    sinkUrl: undefined,
    mask: (text) => text,
  })
  return context
}

function runOptionsOf(options: ContextOptions, profile: Profile): RunOptions {
  const { types = notifiedTypes, callbacks = true, template, readings = {} } = options
  const urlsOf = (generation: Generation) => {
    const heard: readonly string[] = DELIVERY.object_types[generation].value
    const named = types.filter((type) => heard.includes(type))
    return Object.fromEntries(
      named.map((type) => [type, (template ?? TEMPLATES[generation]).replace('{object_type}', type)]),
    )
  }
  return {
    receiver: receiverOptions({
      urls: { webhooks: urlsOf('webhooks'), ...(callbacks && { callbacks: urlsOf('callbacks') }) },
      callsBack: profile.callsBack,
      source: profile.source,
    }),
    service: OWN_SERVICE,
    effects: undefined,
    process: undefined,
    reconcile: undefined,
    budgetMs: profile.budgetMs,
    warnMs: profile.warnMs,
    settleMs: 400,
    windowMs: 100,
    exploreMs: 0,
    readings,
    vocabulary: {},
    secret: profile.signed ? SECRET : undefined,
    consequences: profile.consequences,
    knownFailures: [],
    seed: 1,
    salt: '',
  }
}

const DAY_MS = 86_400_000
const leaf = (subject: string, issuer: string) => ({
  subject,
  issuer,
  notBefore: new Date(Date.now() - DAY_MS).toISOString(),
  notAfter: new Date(Date.now() + 90 * DAY_MS).toISOString(),
  names: ['receiver.test'],
})

export const GOOD_TLS = {
  kind: 'seen',
  seenAt: new Date().toISOString(),
  chain: [leaf('CN=receiver.test', 'CN=Intermediate'), leaf('CN=Intermediate', 'CN=Root')],
  distrust: null,
  message: 'It is trusted',
} satisfies TlsProbe

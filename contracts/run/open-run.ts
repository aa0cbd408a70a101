import { openEffectProbe, type OpenEffectProbe } from '../probes/effect-probes.ts'
import { keepCounterexamples } from '../probes/failed-checks.ts'
import { openCanaryServer } from '../probes/local-server.ts'
import { openShell, type Shell } from '../probes/processes.ts'
import { sendRawRequest } from '../probes/raw-request.ts'
import { instant, stopwatch } from '../probes/stopwatch.ts'
import { handshake } from '../probes/tls-handshake.ts'
import { createCallFeed } from './activity.ts'
import type { Shared } from './create-check-context.ts'
import { createEffectDelay } from './effect-delay.ts'
import { listConsequences, type RunView } from './judged-consequences.ts'
import { learnDelay, reachReceiver } from './reach-receiver.ts'
import { placeRequest } from './sender.ts'
import { receiverUrls } from './receiver-urls.ts'
import { runCheck, type PendingResult } from './run-check.ts'
import type { CheckResult, JudgedConsequence } from './run-result.ts'
import { listSecrets, withWorldCredentials } from './run-secrets.ts'
import { createCleanups, createLimit } from './scheduling.ts'
import { createSpanningChecks } from './select.ts'
import { openService, type Service } from './service.ts'
import { createSigning } from './signing.ts'
import { createSilence } from './silence.ts'
import { listCalls } from './watches.ts'
import type { ReceiverCheck } from '../toolkit/check-context.ts'
import type { Profile, RunOptions } from '../toolkit/options.ts'
import type { EffectProbe, SeenDelay } from '../toolkit/ports.ts'
import { createMask } from '../../sandbox/internal.ts'
import { paymentKinds, type PaymentKind } from '../../spec/payments.ts'

export interface Run {
  readonly options: RunOptions
  /** The address for calls back. */
  readonly serviceUrl: string
  /** The address for posted effects. Undefined without a sink. */
  readonly sinkUrl: string | undefined
  /** The reason if the receiver could not be reached, otherwise null. */
  readonly unreached: string | null
  readonly level: 0 | 1 | 2 | 3
  readonly startedAt: string
  readonly elapsed: () => number
  /** Returns the consequences and the checks that judged them. */
  consequences(results: readonly CheckResult[]): readonly JudgedConsequence[]
  /** Returns the delay of effects so far. Null if effects are not observable. */
  readonly effectDelay: () => SeenDelay | null
  /** Starts a check that spans the run. Resolves when the check waits for the others. */
  begin(check: ReceiverCheck): Promise<void>
  /** Runs a check, or ends one that spans the run. The second look remains. */
  put(check: ReceiverCheck): Promise<PendingResult>
  /** Runs a check with its second look. Learns the delay of effects from payments of the kind, if given. */
  check(check: ReceiverCheck, kind?: PaymentKind): Promise<CheckResult>
  /** The shared state, for work outside a check. */
  readonly shared: Shared
  close(): Promise<void>
}

export type OpeningRun = Pick<Run, 'close'>

/**
 * Calls `onOpening` at once with a function that closes the run, because opening can take long. Throws errors
 * with a remedy.
 */
export async function openRun(
  options: RunOptions,
  onOpening: (run: OpeningRun) => void = () => {},
): Promise<Run> {
  return beginRun(await withWorldCredentials(options), onOpening)
}

async function beginRun(options: RunOptions, onOpening: (run: OpeningRun) => void): Promise<Run> {
  const { add, close } = createCleanups()
  try {
    const opening = openService(options)
    // Closing waits until opening has ended or failed.
    add(async () => (await opening.catch(() => undefined))?.close())
    onOpening({ close })
    const service = await opening
    const parts = await openParts(options, service, add)
    const shared = shareRun(options, parts)
    const { unreached, stop } = await reachReceiver(shared)
    add(stop)
    // Throws if effects cannot be read, because no check could use them.
    await shared.probe?.('items', '00000000-0000-4000-8000-000000000000')
    const startedAt = stopwatch.elapsed()
    let learned: Promise<void> | undefined
    const put = async (check: ReceiverCheck, untilEnd: () => Promise<void>, kind?: PaymentKind) => {
      if (shared.probe && unreached === null && looksAtEffects(check))
        await (learned ??= learnDelay(shared, kind))
      return runCheck(check, shared, { unreached, untilEnd })
    }
    const spanning = createSpanningChecks(put)
    const putOrEnd = (check: ReceiverCheck, kind?: PaymentKind) =>
      check.spansRun === true ? spanning.end(check) : put(check, () => Promise.resolve(), kind)
    return {
      options,
      serviceUrl: service.url,
      sinkUrl: parts.effects?.sinkUrl,
      unreached,
      level: configuredLevel(options),
      startedAt: instant(),
      elapsed: () => stopwatch.elapsed() - startedAt,
      consequences: (results) => listConsequences(results, toRunView(shared)),
      effectDelay: () => (shared.probe ? shared.delay.seen() : null),
      begin: spanning.begin,
      put: putOrEnd,
      async check(check, kind) {
        const pending = await putOrEnd(check, kind)
        if (pending.isProvisional) await pending.rest()
        return pending.conclude()
      },
      shared,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function openParts(
  options: RunOptions,
  service: Service,
  add: (cleanup: () => Promise<void> | void) => void,
): Promise<Opened> {
  const shell = openShell(shellEnvironment(options, service))
  add(shell.close)
  const effects = await openEffects(options, { service, shell })
  if (effects) add(effects.close)
  const canaryServer = await openCanaryServer()
  add(canaryServer.close)
  return { service, effects, shell, canary: (id) => Promise.resolve(canaryServer.canary(id)) }
}

/** Returns the environment of each configured command, with the address and the credentials. */
function shellEnvironment({ service: { credentials } }: RunOptions, { url }: Service) {
  return {
    HOOKBENCH_SERVICE_URL: url,
    HOOKBENCH_CLIENT_ID: credentials.client_id,
    HOOKBENCH_CLIENT_SECRET: credentials.client_secret,
    HOOKBENCH_EMAIL: credentials.email,
    HOOKBENCH_API_TOKEN: credentials.api_token,
  }
}

function toRunView({ profile, urls, probe }: Shared): RunView {
  const calls = { observable: profile.callsBack }
  return { profile, receiver: urls, calls, effects: { observable: probe !== undefined } }
}

interface Opened {
  readonly service: Service
  readonly effects: OpenEffectProbe | undefined
  readonly shell: Shell
  readonly canary: Shared['canary']
}

function shareRun(options: RunOptions, { service, effects, shell, canary }: Opened): Shared {
  const { receiver, budgetMs, warnMs } = options
  const profile: Profile = {
    readings: service.readings,
    callsBack: receiver.callsBack,
    unused: paymentKinds.filter((kind) => options.consequences[kind] === null),
    consequences: options.consequences,
    source: receiver.source,
    signed: options.secret !== undefined,
    budgetMs,
    warnMs,
  }
  const trusted = trustedCas(options, service)
  const oddInTurn = createLimit(MOST_DELIVERIES)
  return {
    ...stopwatch,
    options,
    service,
    profile,
    delay: createEffectDelay(options),
    urls: receiverUrls(receiver),
    trustedCas: trusted,
    probe: effects && limitedProbe(effects.probe),
    inTurn: createLimit(MOST_DELIVERIES),
    known: new Set(),
    feed: createCallFeed((number) => listCalls(service, {}, number)),
    odd: (request) => oddInTurn(() => sendRawRequest(request, trusted)),
    handshake: (url) => handshake(url, placeRequest({ url }, { options, service }).from),
    canary,
    now: instant,
    silence: createSilence(),
    sign: createSigning(options.secret, instant),
    shell,
    exploration: {
      forMs: options.exploreMs,
      ...keepCounterexamples(options.service.data),
      bounds: undefined,
    },
    mask: createMask(listSecrets(options)),
  }
}

async function openEffects(
  { effects, ...options }: RunOptions,
  { service, shell }: Pick<Opened, 'service' | 'shell'>,
): Promise<OpenEffectProbe | undefined> {
  if (!effects) return undefined
  const trusted = trustedCas(options, service)
  const dataFolder = options.service.kind === 'own' ? options.service.data : undefined
  return openEffectProbe(effects, { trusted, shell, dataFolder })
}

function trustedCas({ receiver: { ca } }: Pick<RunOptions, 'receiver'>, service: Service): readonly string[] {
  return [...service.trustedCas, ...(ca === undefined ? [] : [ca])]
}

function looksAtEffects({ needs = [], uses = [] }: ReceiverCheck): boolean {
  return [...needs, ...uses].includes('effects')
}

function configuredLevel({ receiver, effects, process }: RunOptions): Run['level'] {
  if (process) return 3
  if (effects) return 2
  return receiver.callsBack ? 1 : 0
}

/** The limit of concurrent deliveries. In a burst of hundreds, each would be as slow as all of them. */
const MOST_DELIVERIES = 24
/** The limit of concurrent effect reads, because a probe can be a process. */
const MOST_PROBES = 8

function limitedProbe(probe: EffectProbe): EffectProbe {
  const inTurn = createLimit(MOST_PROBES)
  return (type, id) => inTurn(() => probe(type, id))
}

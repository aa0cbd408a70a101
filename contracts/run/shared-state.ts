import { openEffectProbe } from '../probes/effect-probes.ts'
import { keepCounterexamples } from '../probes/failed-checks.ts'
import { openCanaryServer } from '../probes/local-server.ts'
import { openShell } from '../probes/processes.ts'
import { sendRawRequest, type OddRequest } from '../probes/raw-request.ts'
import { instant, stopwatch } from '../probes/stopwatch.ts'
import { handshake } from '../probes/tls-handshake.ts'
import { canConnect } from '../probes/until-closed.ts'
import { createCallFeed } from './activity.ts'
import { createEffectDelay } from './effect-delay.ts'
import { placeRequest } from './sender.ts'
import { receiverUrls } from './receiver-urls.ts'
import { listSecrets } from './run-secrets.ts'
import { createLimit } from '../toolkit/scheduling.ts'
import type { Service } from './service.ts'
import { createSigning } from './signing.ts'
import { createSilence } from './silence.ts'
import { listCalls } from './watches.ts'
import { unusedKinds } from '../toolkit/consequences.ts'
import type { Profile, RunOptions } from '../toolkit/options.ts'
import type { ExplorationHook } from '../toolkit/ports.ts'
import { createMask } from '../../sandbox/internal.ts'

/** The maximum number of concurrent deliveries. With hundreds of concurrent deliveries, a receiver would answer too late. */
const MAX_DELIVERIES = 24
/** The maximum number of concurrent reads of effects, because each read can start a process. */
const MAX_PROBES = 8

export type Shared = Awaited<ReturnType<typeof openShared>>

/** `add` registers cleanup functions. Throws if the probe for effects cannot be opened. */
export async function openShared(
  options: RunOptions,
  service: Service,
  add: (cleanup: () => Promise<void> | void) => void,
) {
  const { receiver } = options
  const shell = openShell(shellEnvironment(options, service))
  add(shell.close)
  const trusted = [...service.trustedCas, ...(receiver.ca === undefined ? [] : [receiver.ca])]
  const dataFolder = options.service.kind === 'own' ? options.service.data : undefined
  const effects = options.effects && (await openEffectProbe(options.effects, { trusted, shell, dataFolder }))
  if (effects) add(effects.close)
  const canaries = await openCanaryServer()
  add(canaries.close)
  const oddInTurn = createLimit(MAX_DELIVERIES)
  const readInTurn = createLimit(MAX_PROBES)
  const exploration: ExplorationHook = {
    forMs: options.exploreMs,
    ...keepCounterexamples(options.service.data),
    bounds: undefined,
  }
  return {
    ...stopwatch,
    options,
    service,
    profile: createProfile(options, service),
    delay: createEffectDelay(options),
    urls: receiverUrls(receiver),
    trustedCas: trusted,
    probe: effects && ((type: string, id: string) => readInTurn(() => effects.probe(type, id))),
    /** Undefined without `effects.sink`. */
    sinkUrl: effects?.sinkUrl,
    inTurn: createLimit(MAX_DELIVERIES),
    known: new Set<string>(),
    feed: createCallFeed((number) => listCalls(service, {}, number)),
    odd: (request: OddRequest) => oddInTurn(() => sendRawRequest(request, trusted)),
    isListening: canConnect,
    handshake: (url: string) => handshake(url, placeRequest({ url }, { options, service }).from),
    canary: async (id: string) => canaries.canary(id),
    now: instant,
    silence: createSilence(),
    sign: createSigning(options.secret, instant),
    shell,
    exploration,
    mask: createMask(listSecrets(options)),
  }
}

function createProfile(options: RunOptions, { readings }: Service): Profile {
  const { receiver, consequences, secret, budgetMs, warnMs } = options
  const { callsBack, source } = receiver
  const unused = unusedKinds(consequences)
  return { readings, callsBack, unused, consequences, source, signed: secret !== undefined, budgetMs, warnMs }
}

function shellEnvironment({ service: { credentials } }: RunOptions, { url }: Service) {
  return {
    HOOKBENCH_SERVICE_URL: url,
    HOOKBENCH_CLIENT_ID: credentials.client_id,
    HOOKBENCH_CLIENT_SECRET: credentials.client_secret,
    HOOKBENCH_EMAIL: credentials.email,
    HOOKBENCH_API_TOKEN: credentials.api_token,
  }
}

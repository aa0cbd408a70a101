import { OPERATIONS as CONTROL_OPERATIONS } from '../spec/generated/control-operations.ts'
import { validators as controlValidators } from '../spec/generated/control-validators.ts'
import { OPERATIONS } from '../spec/generated/service-operations.ts'
import { validators } from '../spec/generated/service-validators.ts'
import { testMessage } from '../spec/notifications.ts'
import type { OperationRow } from '../spec/operations.ts'
import type { ControlContext } from './control/operation.ts'
import { controlOperations } from './control/operations.ts'
import { createAdvance } from './delivery/advance.ts'
import { post } from './delivery/attempt.ts'
import { createDispatcher, type Dispatcher } from './delivery/dispatcher.ts'
import type { Egress } from './delivery/egress.ts'
import { signed } from './delivery/signing.ts'
import { fromDocumentedAddress, type SourceAddresses } from './delivery/source-addresses.ts'
import { createAccessTokens } from './http/access-tokens.ts'
import { createApp, type FetchHandler, type Route } from './http/app.ts'
import type { Decide, PipelinePorts } from './http/pipeline.ts'
import { unknownControlRoute, unknownServiceRoute } from './http/unknown-route.ts'
import { createLiveReadings, type LiveReadings } from './live-readings.ts'
import { entriesOf } from './notifications/outbox.ts'
import { createUnheardReport, type Unheard } from './notifications/unheard.ts'
import type { Context, Write } from './operations/operation.ts'
import { operations } from './operations/operations.ts'
import { isLacking } from './operations/simulation.ts'
import type { Payment } from './payments/payment.ts'
import { createPlayer, type Player } from './payments/player.ts'
import type { Ports } from './ports.ts'
import type { Settings } from './settings.ts'
import type { AttemptHead } from './state/entries.ts'
import { newUuid } from './state/ids.ts'
import type { JobRecord } from './state/indexes.ts'
import type { Log } from './state/log.ts'
import { createTranslator, plainWords } from './vocabulary.ts'
import { createStore, type Store } from './state/store.ts'

export interface Parts {
  readonly ports: Ports
  readonly log: Log
  readonly settings: Settings
  /** Where deliveries seem to come from; anywhere if left out. */
  readonly source?: SourceAddresses | undefined
  readonly egress: Egress
  /** What access tokens are signed with. */
  readonly tokenKey: Uint8Array
  readonly benchToken: string
  readonly serviceUrl: () => string
  /** How many first attempts of one registration may be under way at once. */
  readonly concurrency?: number | undefined
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead) => void
  /** Told once of each type that changes without a registration to tell of it. */
  readonly onUnheard?: ((unheard: Unheard) => void) | undefined
  /** Told of what should not happen, with the operation or job that it happened to. */
  readonly onError: (where: string, error: unknown) => void
}

/** The sandbox put together: two functions of a request, and what moves it. */
export interface Assembled {
  readonly service: FetchHandler
  readonly bench: FetchHandler
  readonly store: Store
  /** Commits an operation's writes with the jobs that they trigger. */
  readonly commit: (writes: readonly Write[]) => Promise<void>
  /** Decides and commits like the listeners do, for callers in this process. */
  readonly context: ControlContext
  readonly advance: (to: number) => Promise<number>
  /** Takes the next step of a payment now; the payment as it then stands. */
  readonly nextStep: (payment: Payment) => Promise<Payment>
  /** Takes up what the store has pending, and sends from now on. */
  readonly start: () => void
  /** Resolves when nothing is due now or under way. */
  readonly idle: () => Promise<void>
  /** Starts no more attempts, waits for those under way, and closes the store. */
  readonly close: () => Promise<void>
}

export function assemble(parts: Parts): Assembled {
  const { ports, settings } = parts
  const store = createStore(parts.log, ports.realTime.soon)
  const readings = createLiveReadings(store, settings.readings)
  const context = contextOf(parts, store, readings)
  const dispatcher = dispatcherOf(parts, store, context)
  const commit = commitOf(parts, store, context)
  const player = createPlayer({
    ...ports,
    store,
    context,
    commit,
    onError: ({ id }, error) => parts.onError(`payment ${id}`, error),
  })
  let stopped = false
  const motion = motionOf(dispatcher, player)
  const advance = createAdvance({ clock: ports.clock, store, ...motion, stopped: () => stopped })
  const pipeline = pipelineOf(parts, { context, commit, advance })

  return {
    ...listenersOf(pipeline, context),
    store,
    commit,
    context,
    advance,
    nextStep: (payment) => player.next(payment),
    start() {
      dispatcher.start()
      player.start()
    },
    idle: motion.idle,
    async close() {
      stopped = true
      player.stop()
      await dispatcher.stop()
      await store
        .commit([{ head: { kind: 'clock', at: ports.clock.now() }, body: '' }])
        .catch((error: unknown) => {
          parts.onError('close', error)
        })
      store.close()
    },
  }
}

function dispatcherOf(
  { ports, concurrency, source, onAttempt, onError }: Parts,
  store: Store,
  context: Context,
) {
  const { readings, translator } = context
  return createDispatcher({
    ...ports,
    store,
    readings,
    translator,
    concurrency,
    source,
    onAttempt,
    onError: ({ id }, error) => onError(`job ${id}`, error),
  })
}

/** Deliveries and payments as one: what makes the other due is waited for too. */
function motionOf(dispatcher: Dispatcher, player: Player) {
  return {
    attempts: () => dispatcher.attempts,
    nextDueAt() {
      const next = Math.min(
        dispatcher.nextDueAt() ?? Number.POSITIVE_INFINITY,
        player.nextDueAt() ?? Number.POSITIVE_INFINITY,
      )
      return next === Number.POSITIVE_INFINITY ? undefined : next
    },
    async idle() {
      for (await dispatcher.idle(); player.busy(); await dispatcher.idle()) await player.idle()
    },
  }
}

function listenersOf(
  pipeline: Omit<PipelinePorts, 'validators' | 'translator'>,
  context: ControlContext,
): Pick<Assembled, 'service' | 'bench'> {
  return {
    service: createApp(
      routesOf(OPERATIONS, operations, context),
      { ...pipeline, validators, translator: context.translator },
      unknownServiceRoute,
    ),
    bench: createApp(
      routesOf(CONTROL_OPERATIONS, controlOperations, context),
      // The bench speaks the document's own words.
      { ...pipeline, validators: controlValidators, translator: plainWords },
      unknownControlRoute,
    ),
  }
}

function commitOf(
  { ports, onUnheard = () => {} }: Parts,
  store: Store,
  context: ControlContext,
): Assembled['commit'] {
  const onTrigger = createUnheardReport({ store, readings: context.readings, onUnheard })
  return (writes) => store.commit(entriesOf(writes, { ...context, onTrigger, now: ports.clock.now() }))
}

function contextOf(
  { ports, settings, egress, serviceUrl }: Parts,
  store: Store,
  readings: LiveReadings,
): ControlContext {
  return {
    view: store,
    readings: readings.values,
    chosenReadings: readings.chosen,
    credentials: settings.credentials,
    translator: createTranslator(settings.vocabulary),
    egress,
    now: () => ports.clock.now(),
    realNow: () => ports.realTime.now(),
    newId: () => newUuid(ports.random),
    newNumber: () => 1_000_000 + Math.floor(ports.random() * 8_000_000),
    clock: ports.clock,
    serviceUrl,
    validators,
  }
}

function pipelineOf(
  { ports, egress, source, tokenKey, benchToken, onError }: Parts,
  { context, commit, advance }: Pick<Assembled, 'context' | 'commit' | 'advance'>,
): Omit<PipelinePorts, 'validators' | 'translator'> {
  const { readings, credentials } = context
  const accessTokens = createAccessTokens(tokenKey, ports.realTime, context.newId)
  return {
    keys: { accessTokens, credentials, benchToken },
    isLacking: (operation) => isLacking(operation, readings),
    judgeUrl(raw) {
      const target = egress.judgeUrl(raw)
      return target.kind === 'refused' ? target.refusal.message : undefined
    },
    testPost(url, generation) {
      const message = post(url, JSON.stringify(testMessage(readings['test-text'])))
      const signing = { ...context, realTime: ports.realTime }
      const sent = fromDocumentedAddress(
        signed(message, generation, signing),
        { generation, turn: 0 },
        { source, readings },
      )
      return ports.transport.post(sent, readings['delivery-deadline'])
    },
    issueToken: () => accessTokens.issue(readings['access-token-lifetime']),
    advance,
    commit,
    onError,
  }
}

type Handlers<Id extends string, Given extends Context> = {
  readonly [Name in Id]: (input: never, context: Given) => ReturnType<Decide>
}

function routesOf<Id extends string, Given extends Context>(
  table: Readonly<Record<Id, OperationRow>>,
  handlers: Handlers<Id, Given>,
  context: Given,
): Route[] {
  return Object.values<OperationRow>(table).map((row) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Handlers` has one for each row; its input is checked against the row
    const handler = handlers[row.id as Id] as (input: unknown, context: Given) => ReturnType<Decide>
    return { row, decide: (input) => handler(input, context) }
  })
}

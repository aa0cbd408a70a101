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
import { createDispatcher } from './delivery/dispatcher.ts'
import type { Egress } from './delivery/egress.ts'
import { createAccessTokens } from './http/access-tokens.ts'
import { createApp, type FetchHandler, type Route } from './http/app.ts'
import type { Decide, PipelinePorts } from './http/pipeline.ts'
import { unknownControlRoute, unknownServiceRoute } from './http/unknown-route.ts'
import { entriesOf } from './notifications/outbox.ts'
import type { Context, Write } from './operations/operation.ts'
import { operations } from './operations/operations.ts'
import type { Ports } from './ports.ts'
import type { Settings } from './settings.ts'
import type { AttemptHead } from './state/entries.ts'
import { newUuid } from './state/ids.ts'
import type { JobRecord } from './state/indexes.ts'
import type { Log } from './state/log.ts'
import { createStore, type Store } from './state/store.ts'

export interface Parts {
  readonly ports: Ports
  readonly log: Log
  readonly settings: Settings
  readonly egress: Egress
  /** What access tokens are signed with. */
  readonly tokenKey: Uint8Array
  readonly benchToken: string
  readonly serviceUrl: () => string
  /** How many first attempts of one registration may be under way at once. */
  readonly concurrency?: number | undefined
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead) => void
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
  /** Takes up what the store has pending, and sends from now on. */
  readonly start: () => void
  /** Resolves when nothing is due now or under way. */
  readonly idle: () => Promise<void>
  /** Starts no more attempts, waits for those under way, and closes the store. */
  readonly close: () => Promise<void>
}

export function assemble(parts: Parts): Assembled {
  const { ports, settings, onAttempt } = parts
  const store = createStore(parts.log, ports.realTime.soon)
  const dispatcher = createDispatcher({
    ...ports,
    store,
    readings: settings.readings,
    concurrency: parts.concurrency,
    onAttempt,
    onError: ({ id }, error) => parts.onError(`job ${id}`, error),
  })
  const advance = createAdvance({ clock: ports.clock, store, dispatcher })
  const context = contextOf(parts, store)
  const commit = (writes: readonly Write[]) =>
    store.commit(entriesOf(writes, { ...context, now: ports.clock.now() }))
  const pipeline = pipelineOf(parts, { context, commit, advance })

  return {
    service: createApp(
      routesOf(OPERATIONS, operations, context),
      { ...pipeline, validators },
      unknownServiceRoute,
    ),
    bench: createApp(
      routesOf(CONTROL_OPERATIONS, controlOperations, context),
      { ...pipeline, validators: controlValidators },
      unknownControlRoute,
    ),
    store,
    commit,
    context,
    advance,
    start: () => dispatcher.start(),
    idle: () => dispatcher.idle(),
    async close() {
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

function contextOf({ ports, settings, egress, serviceUrl }: Parts, store: Store): ControlContext {
  return {
    view: store,
    readings: settings.readings,
    credentials: settings.credentials,
    egress,
    now: () => ports.clock.now(),
    realNow: () => ports.realTime.now(),
    newId: () => newUuid(ports.random),
    clock: ports.clock,
    serviceUrl,
    validators: { items: validators.Item },
  }
}

function pipelineOf(
  { ports, settings, egress, tokenKey, benchToken, onError }: Parts,
  { context, commit, advance }: Pick<Assembled, 'context' | 'commit' | 'advance'>,
): Omit<PipelinePorts, 'validators'> {
  const { readings, credentials } = settings
  const accessTokens = createAccessTokens(tokenKey, ports.realTime, context.newId)
  const testBody = JSON.stringify(testMessage(readings['test-text']))
  return {
    keys: { accessTokens, credentials, benchToken },
    judgeUrl(raw) {
      const target = egress.judgeUrl(raw)
      return target.kind === 'refused' ? target.refusal.message : undefined
    },
    testPost: (url) => ports.transport.post(post(url, testBody), readings['delivery-deadline']),
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

import { validators } from '../spec/generated/service-validators.ts'
import { createActs } from './acts.ts'
import { createEventLog, type EventLog } from './control/event-log.ts'
import type { ControlContext } from './control/operation.ts'
import { createAdvance } from './delivery/advance.ts'
import type { Egress } from './delivery/egress.ts'
import type { SourceAddresses } from './delivery/source-addresses.ts'
import { createApiFaults } from './faults/api-faults.ts'
import { createDeliveryFaults } from './faults/delivery-faults.ts'
import { createHolds } from './faults/holds.ts'
import { createMatcher } from './faults/matcher.ts'
import { createAccessTokens } from './http/access-tokens.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createLiveReadings, type LiveReadings } from './live-readings.ts'
import { createMotion, type Motion } from './motion.ts'
import { entriesOf } from './notifications/outbox.ts'
import { createUnheardReport, type Unheard, type UnheardReport } from './notifications/unheard.ts'
import type { Write } from './operations/operation.ts'
import { isLacking } from './operations/simulation.ts'
import { aboutObject } from './operations/webhook-jobs.ts'
import type { Payment } from './payments/payment.ts'
import type { Ports } from './ports.ts'
import type { Settings } from './settings.ts'
import type { AttemptHead } from './state/entries.ts'
import { newUuid } from './state/ids.ts'
import type { JobRecord } from './state/indexes.ts'
import type { Log } from './state/log.ts'
import { createRequestLog, type RequestLog } from './state/request-log.ts'
import { createStore, type Store } from './state/store.ts'
import { createTranslator } from '../spec/vocabulary.ts'
import { createWorld, type World } from './world.ts'

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
export interface Assembled extends Listeners {
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
  /** Resolves when nothing is due now or under way, what faults hold back aside. */
  readonly idle: () => Promise<void>
  /** Calls back whenever the whole world was replaced. */
  readonly onReplaced: (listener: () => void) => void
  /** Ends what would never end by itself: streams of events, and calls that faults hold. */
  readonly hangUp: () => void
  /** Starts no more attempts, waits for those under way, and closes the store. */
  readonly close: () => Promise<void>
}

/** What knows of the world and of nothing that moves it. */
interface Ground {
  readonly store: Store
  readonly readings: LiveReadings
  readonly requests: RequestLog
  readonly events: EventLog
  readonly context: ControlContext
  readonly unheard: UnheardReport
  readonly commit: Assembled['commit']
  readonly closing: AbortController
}

export function assemble(parts: Parts): Assembled {
  const { clock } = parts.ports
  const ground = groundOf(parts)
  const { store, context, commit } = ground
  const faults = faultsOf(parts, ground)
  const newMotion = () => motionOf(parts, ground, faults)
  const listeners = new Set<() => void>()
  let motion = newMotion()
  let stopped = false
  const advance = createAdvance({
    clock,
    store,
    attempts: () => motion.dispatcher.attempts,
    nextDueAt: () => motion.nextDueAt(),
    idle: () => motion.idle(),
    stopped: () => stopped,
  })
  const world = worldOf(parts, ground, {
    refuseWhile: () => advance.refuseWhileUnderWay('replace the world'),
    onReplaced() {
      motion.abandon()
      faults.holds.letAllGo()
      motion = newMotion()
      motion.start()
      for (const listener of listeners) listener()
    },
  })

  return {
    ...listenersOf(parts, ground, { faults, motion: () => motion, world, advance: advance.to }),
    store,
    commit,
    context,
    advance: advance.to,
    nextStep: (payment) => motion.player.next(payment),
    start: () => motion.start(),
    idle: () => motion.idle(),
    onReplaced: (listener) => void listeners.add(listener),
    hangUp: () => ground.closing.abort(),
    async close() {
      stopped = true
      ground.closing.abort()
      faults.holds.letAllGo()
      await motion.stop()
      const stoppedAt = { head: { kind: 'clock', at: clock.now() }, body: '' } as const
      await store.commit([stoppedAt]).catch((error: unknown) => parts.onError('close', error))
      store.close()
    },
  }
}

function groundOf(parts: Parts): Ground {
  const { ports, settings, egress, source, serviceUrl, onUnheard = () => {} } = parts
  const store = createStore(parts.log, ports.realTime.soon)
  const readings = createLiveReadings(store, settings.readings)
  const requests = createRequestLog(ports.realTime)
  const events = createEventLog({
    store,
    requests,
    run: ports.realTime.now().toString(36),
    now: ports.clock.now,
  })
  const context: ControlContext = {
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
    source,
    requests: requests.list,
    events,
  }
  const unheard = createUnheardReport({ store, readings: readings.values, onUnheard })
  const commit = (writes: readonly Write[]) =>
    store.commit(entriesOf(writes, { ...context, onTrigger: unheard.onTrigger, now: ports.clock.now() }))
  return { store, readings, requests, events, context, unheard, commit, closing: new AbortController() }
}

type Faults = ReturnType<typeof faultsOf>

function faultsOf({ ports, onError }: Parts, { store, commit }: Ground) {
  const holds = createHolds(ports.realTime, (id) => store.faults().some((fault) => fault.id === id))
  store.subscribe((head) => head.kind === 'fault-end' && holds.letGo({ faultId: head.fault_id }))
  const note = (writes: readonly Write[]) =>
    void commit(writes).catch((error: unknown) => onError('the count of a fault', error))
  return { holds, matching: createMatcher({ view: store, note }) }
}

function motionOf(parts: Parts, { store, context, commit }: Ground, { holds, matching }: Faults): Motion {
  const isAbout = (id: string, job: JobRecord) => aboutObject(id, store)(job)
  return createMotion({
    ...parts.ports,
    ...context,
    store,
    context,
    commit,
    holds,
    faults: createDeliveryFaults({ matching, holds, isAbout }),
    concurrency: parts.concurrency,
    onAttempt: parts.onAttempt,
    onError: parts.onError,
  })
}

function worldOf(
  { ports }: Parts,
  { store, readings, requests, events, unheard }: Ground,
  { refuseWhile, onReplaced }: { readonly refuseWhile: () => void; readonly onReplaced: () => void },
): World {
  return createWorld({
    ...ports,
    store,
    requests,
    refuseWhile,
    onReplaced(reason) {
      readings.reload()
      unheard.forget()
      onReplaced()
      events.tellReplaced(reason)
    },
  })
}

interface Moving {
  readonly faults: Faults
  readonly motion: () => Motion
  readonly world: World
  readonly advance: Assembled['advance']
}

function listenersOf(
  { ports, settings, egress, tokenKey, benchToken, onError }: Parts,
  { store, requests, context, commit, closing }: Ground,
  { faults, motion, world, advance }: Moving,
): Listeners {
  const accessTokens = createAccessTokens(tokenKey, ports.realTime, context.newId)
  const { holds, matching } = faults
  return createListeners({
    context,
    requests,
    realTime: ports.realTime,
    closing: closing.signal,
    keys: { accessTokens, credentials: settings.credentials, benchToken },
    isLacking: (operation) => isLacking(operation, context.readings),
    judgeUrl(raw) {
      const target = egress.judgeUrl(raw)
      return target.kind === 'refused' ? target.refusal.message : undefined
    },
    acts: createActs({ ...ports, store, context, accessTokens, holds, motion, world, advance }),
    misbehave: createApiFaults({ ...context, matching, holds }),
    commit,
    onError,
  })
}

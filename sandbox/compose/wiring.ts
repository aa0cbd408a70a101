import { validators } from '../../spec/validators.ts'
import { createTranslator } from '../../spec/vocabulary.ts'
import { createEventLog, type EventLog } from '../api/control/events.ts'
import type { ControlContext, Worlds } from '../api/control/operation.ts'
import { ApiError } from '../engine/core/api-error.ts'
import type { Clock, Ports, RealTime } from '../engine/core/ports.ts'
import { createIds } from '../engine/core/random.ts'
import type { ChosenReadings, Settings } from '../engine/core/settings.ts'
import type { Egress } from '../engine/delivery/egress.ts'
import type { SourceAddresses } from '../engine/delivery/source-addresses.ts'
import { type OutboxContext, toEntries } from '../engine/notifications/outbox.ts'
import {
  createUnsubscribedTriggerReport,
  type UnsubscribedTrigger,
  type UnsubscribedTriggerReport,
} from '../engine/notifications/unsubscribed-triggers.ts'
import type { AttemptHead } from '../engine/state/entries.ts'
import { createRequestLog, type RequestLog } from '../api/control/requests.ts'
import type { StorageError } from '../engine/state/storage-error.ts'
import type { PastWorld } from '../engine/state/past-world.ts'
import type { Store } from '../engine/state/store.ts'
import type { Write } from '../engine/state/write.ts'
import type { JobRecord } from '../engine/state/job.ts'
import { type ConductedRuns, createRuns, type JudgeAccess } from './runs.ts'
import { LATEST_NOW } from '../engine/core/timestamp.ts'
import { type ReadingValues, readingValues } from '../../spec/readings.ts'

/** What a sandbox is made of, and whom it calls. */
export interface Dependencies {
  readonly ports: Ports
  readonly store: Store
  readonly settings: Settings
  /** Where deliveries seem to come from; anywhere if left out. */
  readonly source?: SourceAddresses | undefined
  readonly egress: Egress
  /** What access tokens are signed with. */
  readonly tokenKey: Uint8Array
  readonly benchToken: string
  /** Opens the bench, too, where it is another. */
  readonly rootToken?: string | undefined
  /** The id that access tokens of this world carry; none for the default world. */
  readonly worldId?: string | undefined
  /** What commands name it by; nothing for the default world. */
  readonly worldName?: string | undefined
  /** The worlds beside this one; there can be none if left out. */
  readonly worlds?: Worlds | undefined
  /** Whether not even what the bench tells everybody on this machine is told without its token. */
  readonly everyCallNeedsToken?: boolean | undefined
  readonly serviceUrl: () => string
  /** The data folder as its user calls it; there is none if left out. */
  readonly dataFolder?: string | undefined
  /** How many first attempts of one registration may be sent at once. */
  readonly concurrency?: number | undefined
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead, cause?: unknown) => void
  /** Called once with each type that changes while no registration is notified of it. */
  readonly onUnsubscribed?: ((unsubscribed: UnsubscribedTrigger) => void) | undefined
  /** What judges the receiver that is registered; nothing if left out. */
  readonly judge?: JudgeAccess | undefined
  /** Finds out why nothing is received; nothing does if left out. */
  readonly diagnose?: ControlContext['diagnose'] | undefined
  /** Undefined without a CA. */
  readonly issueCertificate?: ControlContext['issueCertificate'] | undefined
  /** Called with what should not happen, with the operation or job that it happened to. */
  readonly onError: (where: string, error: unknown) => void
  /** Called when the store takes no changes any more, with why, and with nothing when it does again. */
  readonly onStorage?: ((problem: StorageError | undefined) => void) | undefined
}

/** The store, and what looks at it: nothing here moves by itself. */
export interface Wiring {
  readonly store: Store
  readonly liveReadings: LiveReadings
  readonly requests: RequestLog
  readonly events: EventLog
  readonly context: ControlContext
  readonly unsubscribed: UnsubscribedTriggerReport
  /** Ends what would never end by itself. */
  readonly closing: AbortController
  readonly runs: ConductedRuns
  /** Commits an operation's writes with the jobs that they trigger. */
  readonly commit: (writes: readonly Write[]) => Promise<void>
}

async function refuseDiagnosis(): Promise<never> {
  throw new ApiError('conflict', {
    code: 'no_doctor',
    message: 'Cannot diagnose the sandbox here: it has no data folder',
    hint: 'use the sandbox that "npx hookbench up" starts',
  })
}

async function refuseCertificate(): Promise<never> {
  throw new ApiError('conflict', {
    code: 'no_ca',
    message: 'Cannot issue a certificate here: this sandbox has no CA',
    hint: 'use the sandbox that "npx hookbench up" starts',
  })
}

function refuseWorlds(): Promise<never> {
  return Promise.reject(
    new ApiError('conflict', {
      code: 'no_worlds',
      message: 'Cannot do this here: this sandbox has one world only',
      hint: 'use the sandbox that "npx hookbench up" starts, or make another one with createSandbox()',
    }),
  )
}

const ONE_WORLD: Worlds = {
  list: refuseWorlds,
  get: refuseWorlds,
  add: refuseWorlds,
  copy: refuseWorlds,
  remove: refuseWorlds,
}

export function wire(dependencies: Dependencies): Wiring {
  const { ports, store, settings, egress, source, serviceUrl, onUnsubscribed = () => {} } = dependencies
  const closing = new AbortController()
  const changeTime = createChangeTime(ports.clock, store)
  const liveReadings = createLiveReadings(store, settings.readings)
  const requests = createRequestLog(ports.realTime, store.length === 0 ? null : ports.clock.now())
  const events = createEventLog({
    store,
    requests,
    readings: liveReadings.values,
    run: ports.realTime.now().toString(36),
    now: ports.clock.now,
  })
  const runs = createRuns({
    judge: dependencies.judge,
    realTime: ports.realTime,
    onChange: (run) => events.emit({ type: 'run', data: { ...run } }),
  })
  const context: ControlContext = {
    view: store,
    readings: liveReadings.values,
    chosenReadings: liveReadings.chosen,
    ...createLookBack({ store, requests, settings, closing, realTime: ports.realTime }),
    credentials: settings.credentials,
    translator: createTranslator(settings.vocabulary),
    egress,
    now: changeTime.next,
    realNow: () => ports.realTime.now(),
    ...createIds(ports.random),
    clock: ports.clock,
    serviceUrl,
    dataFolder: dependencies.dataFolder,
    worldName: dependencies.worldName,
    validators,
    source,
    requests: requests.list,
    events,
    storageProblem: () => store.problem,
    runs,
    diagnose: dependencies.diagnose ?? refuseDiagnosis,
    issueCertificate: dependencies.issueCertificate ?? refuseCertificate,
    worlds: dependencies.worlds ?? ONE_WORLD,
  }
  const unsubscribed = createUnsubscribedTriggerReport(store, liveReadings.values, onUnsubscribed)
  const commit = createCommit({ ...context, onTrigger: unsubscribed.onTrigger }, { store, changeTime })
  return { store, liveReadings, requests, events, context, unsubscribed, runs, closing, commit }
}

/** Commits writes with the jobs that they trigger, and moves the clock to them. */
function createCommit(
  context: Omit<OutboxContext, 'now'>,
  { store, changeTime }: Pick<Wiring, 'store'> & { readonly changeTime: ChangeTime },
): Wiring['commit'] {
  return (writes) => {
    const durable = store.commit(toEntries(writes, { ...context, now: changeTime.of(writes) }))
    changeTime.pass()
    return durable
  }
}

/**
 * The times of changes. Each change of an object is at least a millisecond after the one before, on every clock, so that
 * `updated_at` tells which came last. Reading: clocks
 */
interface ChangeTime {
  /** When a change happens that is decided now. Sandbox time, epoch milliseconds. */
  next(): number
  /** The same for these writes: the use of a fault is counted, and changes nothing. */
  of(writes: readonly Write[]): number
  /** Moves the clock to the last change on record. */
  pass(): void
}

function createChangeTime(
  clock: Clock,
  { latestAt, changedAt }: Pick<Store, 'latestAt' | 'changedAt'>,
): ChangeTime {
  const next = () => Math.max(clock.now(), Math.min(changedAt() + 1, LATEST_NOW))
  return {
    next,
    of: (writes) => (writes.every(({ kind }) => kind === 'fault-use') ? clock.now() : next()),
    pass: () => clock.showAtLeast(latestAt()),
  }
}

export interface LookBackPorts {
  readonly store: Pick<Store, 'length' | 'past'>
  readonly requests: Pick<RequestLog, 'keptSince'>
  readonly realTime: Pick<RealTime, 'after'>
  readonly settings: Pick<Settings, 'readings'>
  readonly closing: AbortController
}

type Past = Pick<ControlContext, 'givenReadings' | 'lookBack' | 'history'>

/** How long a world of the past is kept for the next look; real milliseconds. */
const KEEP_MS = 60_000

/** What operations see of the past. It takes as much memory as the present, until nobody has looked for a while. */
function createLookBack(ports: LookBackPorts): Past {
  const { store, requests, settings } = ports
  return {
    givenReadings: settings.readings,
    lookBack: withExpiry(store.past, ports),
    history: () => ({
      entries: store.length,
      begins_at: store.past.beginsAt(),
      calls_since: requests.keptSince(),
      instants: store.past.instants,
    }),
  }
}

function withExpiry(
  past: PastWorld,
  { realTime, closing: { signal } }: Pick<LookBackPorts, 'realTime' | 'closing'>,
): PastWorld['at'] {
  let cancel = () => {}
  signal.addEventListener('abort', () => cancel())
  return (instant, read) => {
    cancel()
    if (!signal.aborted) cancel = realTime.after(KEEP_MS, past.forget)
    return past.at(instant, read)
  }
}

export interface LiveReadings {
  /** As they are chosen now. */
  readonly values: () => ReadingValues
  /** What was chosen, as a user writes it; the rest has its default. */
  readonly chosen: () => ChosenReadings
  /** Takes what the store has now, after it was replaced; `chosen` wins over it, and over what was chosen at the start. */
  readonly reload: (chosen?: ChosenReadings) => void
}

/** What is chosen at the start wins over what the store has from earlier; what is chosen later wins over both. */
function createLiveReadings(store: Store, atStart: ChosenReadings): LiveReadings {
  let chosen: ChosenReadings = {}
  let values = readingValues(chosen)
  function choose(next: ChosenReadings): void {
    values = readingValues(next)
    chosen = next
  }
  const reload = (restored: ChosenReadings = {}) => choose({ ...store.readings(), ...atStart, ...restored })
  reload()
  store.subscribe((head) => {
    if (head.kind === 'readings') choose({ ...chosen, ...head.chosen })
  })
  return { values: () => values, chosen: () => chosen, reload }
}

import { validators } from '../../spec/validators.ts'
import { createTranslator } from '../../spec/vocabulary.ts'
import { createEventLog } from '../api/control/events.ts'
import type { ControlContext, WorldOperations } from '../api/control/operation.ts'
import { ApiError } from '../engine/core/api-error.ts'
import type { Clock, Ports, RealTime } from '../engine/core/ports.ts'
import { createIds } from '../engine/core/random.ts'
import type { ChosenReadings, Settings } from '../engine/core/settings.ts'
import type { Egress } from '../engine/delivery/egress.ts'
import type { SourceAddresses } from '../engine/delivery/message.ts'
import { type OutboxContext, toEntries } from '../engine/notifications/outbox.ts'
import {
  createUnsubscribedTriggerReport,
  type UnsubscribedTrigger,
} from '../engine/notifications/unsubscribed-triggers.ts'
import type { AttemptHead, Write } from '../engine/state/entries.ts'
import { createRequestLog, type RequestLog } from '../api/control/requests.ts'
import type { StorageError } from '../engine/state/storage-error.ts'
import type { PastWorld } from '../engine/state/past-world.ts'
import type { Store } from '../engine/state/store.ts'
import type { JobRecord } from '../engine/state/job.ts'
import { createRuns, type JudgeAccess } from './runs.ts'
import { LATEST_NOW } from '../engine/core/timestamp.ts'
import { readingValues } from '../../spec/readings.ts'

export interface Dependencies {
  readonly ports: Ports
  readonly store: Store
  readonly settings: Settings
  readonly source?: SourceAddresses | undefined
  readonly egress: Egress
  readonly tokenKey: Uint8Array
  readonly benchToken: string
  /** A second token that gives access to the control API. By default, there is no second token. */
  readonly rootToken?: string | undefined
  /** The id of this world that access tokens contain. Undefined for the default world. */
  readonly worldId?: string | undefined
  /** The worlds of the sandbox. By default, this world is the only world. */
  readonly worlds?: WorldOperations | undefined
  /** True if every call needs a token. If false, public control operations need no token. */
  readonly everyCallNeedsToken?: boolean | undefined
  readonly serviceUrl: () => string
  readonly dataFolder?: string | undefined
  readonly concurrency?: number | undefined
  readonly onAttempt: (job: JobRecord, attempt: AttemptHead, cause?: unknown) => void
  /** Called once for each object type that changes without a receiver registered for it. */
  readonly onUnsubscribed?: ((unsubscribed: UnsubscribedTrigger) => void) | undefined
  readonly judge?: JudgeAccess | undefined
  readonly diagnose?: ControlContext['diagnose'] | undefined
  readonly issueCertificate?: ControlContext['issueCertificate'] | undefined
  readonly onError: (where: string, error: unknown) => void
  readonly onStorage?: ((problem: StorageError | undefined) => void) | undefined
}

export type Wiring = ReturnType<typeof wire>

function refusal(code: string, message: string, otherwise = ''): () => Promise<never> {
  const hint = `use the sandbox that "npx hookbench up" starts${otherwise}`
  return () => Promise.reject(new ApiError('conflict', { code, message, hint }))
}

const refuseDiagnosis = refusal('no_doctor', 'Cannot diagnose the sandbox here: it has no data folder')
const refuseCertificate = refusal('no_ca', 'Cannot issue a certificate here: this sandbox has no CA')
const refuseWorlds = refusal(
  'no_worlds',
  'Cannot manage worlds here: this sandbox has only one world',
  ', or create another sandbox with createSandbox()',
)

const ONE_WORLD: WorldOperations = {
  list: refuseWorlds,
  get: refuseWorlds,
  add: refuseWorlds,
  copy: refuseWorlds,
  remove: refuseWorlds,
}

export function wire(dependencies: Dependencies) {
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
  const runs = createRuns(dependencies.judge, ports.realTime, (run) =>
    events.emit({ type: 'run', data: { ...run } }),
  )
  const context: ControlContext = {
    view: store,
    readings: liveReadings.values,
    chosenReadings: liveReadings.chosen,
    givenReadings: settings.readings,
    readPastOrPresent: withExpiry(store.past, ports.realTime, closing.signal),
    history: () => readHistory(store, requests),
    credentials: settings.credentials,
    translator: createTranslator(settings.vocabulary),
    egress,
    now: changeTime.next,
    realNow: () => ports.realTime.now(),
    ...createIds(ports.random),
    clock: ports.clock,
    serviceUrl,
    dataFolder: dependencies.dataFolder,
    validators,
    source,
    requests: requests.list,
    events,
    storageProblem: store.check,
    runs,
    diagnose: dependencies.diagnose ?? refuseDiagnosis,
    issueCertificate: dependencies.issueCertificate ?? refuseCertificate,
    worlds: dependencies.worlds ?? ONE_WORLD,
  }
  const unsubscribed = createUnsubscribedTriggerReport(store, liveReadings.values, onUnsubscribed)
  const commit = createCommit({ ...context, onTrigger: unsubscribed.onTrigger }, store, changeTime)
  return { store, liveReadings, requests, events, context, unsubscribed, runs, closing, commit }
}

/** Creates a function that commits writes together with the jobs that they trigger, and moves the clock forward. */
function createCommit(
  { view, readings, translator, onTrigger, newId }: Omit<Required<OutboxContext>, 'now'>,
  store: Store,
  changeTime: ReturnType<typeof createChangeTime>,
) {
  // Picks only the needed properties, because every commit copies this object.
  const context = { view, readings, translator, onTrigger, newId }
  return (writes: readonly Write[]): Promise<void> => {
    // Waits for earlier writes even without new writes, because the reply may contain a change that is not yet durable.
    if (writes.length === 0) return store.written() ?? Promise.resolve()
    const durable = store.commit(toEntries(writes, { ...context, now: changeTime.of(writes) }))
    changeTime.pass()
    return durable
  }
}

/**
 * Creates the timestamps of changes. Timestamps are at least a millisecond apart, so that `updated_at` shows the order of
 * changes. Reading: clocks
 */
function createChangeTime(clock: Clock, { latestAt, changedAt }: Store) {
  const next = () => Math.max(clock.now(), Math.min(changedAt() + 1, LATEST_NOW))
  return {
    next,
    /** Returns the timestamp of the writes. Writes that only change the match count of a fault use the current clock time. */
    of: (writes: readonly Write[]) =>
      writes.every(({ kind }) => kind === 'fault-use') ? clock.now() : next(),
    pass: () => clock.showAtLeast(latestAt()),
  }
}

function readHistory({ length, past }: Store, requests: RequestLog) {
  const { instants } = past
  return { entries: length, begins_at: past.beginsAt(), calls_since: requests.keptSince(), instants }
}

const KEEP_MS = 60_000

/** Reads past worlds and drops them after an idle minute. The replay of a past world takes as much memory as the present world. */
function withExpiry(past: PastWorld, realTime: RealTime, signal: AbortSignal): PastWorld['at'] {
  let cancel = () => {}
  signal.addEventListener('abort', () => cancel())
  return (instant, read) => {
    cancel()
    if (!signal.aborted) cancel = realTime.after(KEEP_MS, past.forget)
    return past.at(instant, read)
  }
}

/** Creates the current readings. Start options override stored options, and changes at run time override both. */
function createLiveReadings(store: Store, atStart: ChosenReadings) {
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
  return {
    values: () => values,
    /** Returns only the options that the user has chosen, unchanged. All other readings have their default value. */
    chosen: () => chosen,
    reload,
  }
}

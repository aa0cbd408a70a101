import type { Inputs, OperationId, Outputs } from '../../../spec/generated/control-operations.ts'
import type {
  CheckInfo,
  CheckRunRequest,
  Claim,
  ClaimRequest,
  DiagnosisFinding,
  Event,
  RehearsalPreview,
  RehearsalRequest,
  RequestRecord,
  RunDetail,
  RunSummary,
  Snapshot,
  SnapshotEntry,
  Waiting,
  World,
  WorldCopyRequest,
  WorldDetail,
  WorldRequest,
} from '../../../spec/generated/control-types.ts'
import type { Validator } from '../../../spec/validator.ts'
import { createIds, createSeededRandom } from '../../engine/core/random.ts'
import type { SourceAddresses } from '../../engine/delivery/source-addresses.ts'
import type { Actions, Context, Cursor, Decision } from '../operations/operation.ts'
import type { Payment } from '../../engine/state/payment.ts'
import type { Clock, Exchange, Message } from '../../engine/core/ports.ts'
import type { ChosenReadings } from '../../engine/core/settings.ts'
import type { StorageError } from '../../engine/state/storage-error.ts'
import type { View } from '../../engine/state/view.ts'
import type { Write } from '../../engine/state/write.ts'
import type { JobRecord } from '../../engine/state/job.ts'

/** One operation of the control API; decides like an operation of the service. */
export type ControlOperation<Id extends OperationId> = (
  input: Inputs[Id],
  context: ControlContext,
) => Decision<Outputs[Id], ControlActions>

export type ControlOperations = { readonly [Id in OperationId]: ControlOperation<Id> }

export interface ControlContext extends Context {
  readonly clock: Clock
  /** What was chosen of the readings, as a user writes it. */
  readonly chosenReadings: () => ChosenReadings
  /** Where the service API listens, once it does. */
  readonly serviceUrl: () => string
  /** The data folder as its user calls it; undefined if there is none. */
  readonly dataFolder: string | undefined
  /** What commands name this world by; undefined for the default one. */
  readonly worldName: string | undefined
  /** By the name of the schema. */
  readonly validators: Readonly<Record<string, Validator<unknown>>>
  /** Where deliveries seem to come from; anywhere if undefined. */
  readonly source: SourceAddresses | undefined
  /** The calls that the service API received, oldest first. */
  readonly requests: () => readonly RequestRecord[]
  /** What was chosen of them at the start of this run. */
  readonly givenReadings: ChosenReadings
  readonly history: () => HistoryKept
  /** Calls `read` with the world as it was at an instant; what it returns must not hold on to the view. */
  lookBack<Result>(instant: number, read: (view: View) => Result): Promise<Result>
  readonly events: EventFeed
  /** Why the store takes no changes at present; undefined if it does. */
  readonly storageProblem: () => StorageError | undefined
  readonly runs: Runs
  readonly worlds: Worlds
  /** Finds out why nothing is received. Throws ApiError where nothing does. */
  readonly diagnose: () => Promise<readonly DiagnosisFinding[]>
}

/** What is on record of this world. */
export interface HistoryKept {
  readonly entries: number
  /** Of the first entry; undefined if there is none. */
  readonly begins_at: number | undefined
  /** From when on all calls are kept; null if all of this world are. */
  readonly calls_since: number | null
  /** The instants of so many entries at most, each once, oldest first. */
  instants(most: number): number[]
}

/** Rehearsals and runs of checks: the newest of them, and what may be done about them first. What begins or stops them throws ApiError where nothing judges. */
export interface Runs {
  /** Oldest first. */
  list(): readonly RunSummary[]
  /** Throws ApiError `not-found`. */
  get(id: string): RunDetail
  checks(): Promise<readonly CheckInfo[]>
  /** Throws ApiError while another run is under way, and for what cannot be judged. */
  startRehearsal(request: RehearsalRequest): Promise<RunSummary>
  previewRehearsal(request: RehearsalRequest): Promise<RehearsalPreview>
  startChecks(request: CheckRunRequest): Promise<RunSummary>
  /** Resolves when it has ended, and the sandbox is as it was. Throws ApiError `not-found`. */
  stop(id: string): Promise<RunSummary>
  /** Claims the world for a run from elsewhere. Throws ApiError `conflict` while another run is under way, here or elsewhere. */
  claim(id: string, request: ClaimRequest): Claim
  /** Throws ApiError `not-found`. */
  release(id: string): Claim
}

/** What happened, to follow. */
export interface EventFeed {
  /**
   * What happened after the event with this id, all that are known if it is `0`; calls `onMore` when more has happened. For what
   * is no longer known there is one event `gap`. Throws ApiError `invalid` for anything that is not such an id.
   */
  follow(after: string, onMore: () => void): Cursor<Event>
  /** The id of the newest event. */
  lastId(): string
}

/** What an operation of the bench may have done beside. */
export interface ControlActions extends Actions {
  /** Moves the clock to `time`, or as far as it is from the present; gives how many attempts were made on the way. */
  advance(time: number, kind: 'instant' | 'step'): Promise<number>
  setSpeed(speed: number): Promise<void>
  /** Takes a payment's beginning, and waits for all steps that are due at once. */
  play(payment: Payment, writes: readonly Write[]): Promise<void>
  /** Waits until everything is at rest, for so long at most; gives what is not. */
  settle(timeoutMs: number): Promise<readonly Waiting[]>
  /** Makes one more attempt of a job that failed. */
  resend(job: JobRecord): Promise<void>
  /** Sends a message outside the service's own behaviour, one time after the other. */
  deliver(message: Message, times: number): Promise<readonly Exchange[]>
  snapshot(): Promise<Snapshot>
  /** The JSON of the same, in pieces; going on throws once the world was replaced. */
  snapshotText(): Iterable<string>
  restore(snapshot: Snapshot): Promise<void>
  /** Begins to put a snapshot back that comes in pieces. Throws ApiError `conflict` where that cannot be now. */
  beginRestore(): Restoration
  reset(unsubscribed: 'report' | 'ignore'): Promise<void>
}

/**
 * A world that is put back piece by piece, beside the one that there is: nothing changes before its end. What it takes has the
 * shape that the spec says.
 */
export interface Restoration {
  /** Throws ApiError `invalid` for one that does not fit. */
  addEntry(entry: SnapshotEntry): void
  addRequest(request: RequestRecord): void
  /** Takes the place of everything, or throws ApiError and changes nothing; resolves when it is durable. */
  finish(rest: Omit<Snapshot, 'entries' | 'requests'>): Promise<void>
  /** Forgets all that it took; does nothing once it has finished. */
  discard(): void
}

/** The same context, with ids drawn from a seed of the call's own if it has one. */
export function withSeed(seed: number | undefined, context: ControlContext): ControlContext {
  return seed === undefined ? context : { ...context, ...createIds(createSeededRandom(seed)) }
}

/**
 * The worlds of the sandbox, as far as they are open to who asks: to the token of the run all of them, to that of a world itself only.
 * What is not throws ApiError `forbidden`.
 */
export interface Worlds {
  /** `default` first, then the oldest. */
  list(): Promise<readonly World[]>
  /** Throws ApiError `not-found`. */
  get(name: string): Promise<WorldDetail>
  /** Throws ApiError `conflict` for a name or credentials that another world has. */
  add(request: WorldRequest): Promise<WorldDetail>
  /** The same. Nothing of the copy is left if it fails. */
  copy(name: string, request: WorldCopyRequest): Promise<WorldDetail>
  /** Resolves when nothing is left of it. */
  remove(name: string): Promise<World>
}

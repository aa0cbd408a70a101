import type { Inputs, OperationId, Outputs } from '../../../spec/generated/control-operations.ts'
import type * as Api from '../../../spec/generated/control-types.ts'
import type { Validator } from '../../../spec/validator.ts'
import { createIds, createSeededRandom } from '../../engine/core/random.ts'
import type { SourceAddresses } from '../../engine/delivery/message.ts'
import type { Actions, Context, Cursor, Decision } from '../operations/operation.ts'
import type { Payment, Write } from '../../engine/state/entries.ts'
import type { Clock, Exchange, HttpMessage } from '../../engine/core/ports.ts'
import type { ChosenReadings } from '../../engine/core/settings.ts'
import type { StorageError } from '../../engine/state/storage-error.ts'
import type { View } from '../../engine/state/view.ts'
import type { JobRecord } from '../../engine/state/job.ts'

export type ControlOperation<Id extends OperationId> = (
  input: Inputs[Id],
  context: ControlContext,
) => Decision<Outputs[Id], ControlActions>

export type ControlOperations = { readonly [Id in OperationId]: ControlOperation<Id> }

export interface ControlContext extends Context {
  readonly clock: Clock
  readonly chosenReadings: () => ChosenReadings
  readonly serviceUrl: () => string
  readonly dataFolder: string | undefined
  readonly validators: Readonly<Record<string, Validator<unknown>>>
  readonly source: SourceAddresses | undefined
  readonly requests: () => readonly Api.RequestRecord[]
  readonly givenReadings: ChosenReadings
  readonly history: () => HistoryKept
  /** Calls `read` with a view of the world at `instant`. The result must not reference this view. */
  readPastOrPresent<Result>(instant: number, read: (view: View) => Result): Promise<Result>
  readonly events: EventFeed
  readonly storageProblem: () => StorageError | undefined
  readonly runs: Runs
  readonly worlds: WorldOperations
  /** Finds the reasons why a receiver gets no notifications. Throws ApiError if diagnosis is unavailable. */
  readonly diagnose: () => Promise<readonly Api.DiagnosisFinding[]>
  /** Issues a certificate of the local CA. Throws ApiError for an invalid host, or if there is no CA. */
  readonly issueCertificate: (hosts: readonly string[]) => Promise<Api.Certificate>
}

export interface HistoryKept {
  readonly entries: number
  readonly begins_at: number | undefined
  /** The sandbox time of the oldest stored call. Null if no call of this world was dropped. */
  readonly calls_since: number | null
  /** Returns at most `most` different times at which entries were stored, oldest first. */
  instants(most: number): number[]
}

/** The newest rehearsals and check runs. If the sandbox has no judge, the methods that start or stop a run throw ApiError. */
export interface Runs {
  list(): readonly Api.RunSummary[]
  /** Throws ApiError `not-found` for an unknown id or name. */
  get(id: string): Api.RunDetail
  checks(): Promise<readonly Api.CheckInfo[]>
  /** Throws ApiError for an invalid request, or if another run is in progress. */
  startRehearsal(request: Api.RehearsalRequest): Promise<Api.RunSummary>
  previewRehearsal(request: Api.RehearsalRequest): Promise<Api.RehearsalPreview>
  startChecks(request: Api.CheckRunRequest): Promise<Api.RunSummary>
  /** Resolves when the run has ended and its world is restored. Throws ApiError `not-found`. */
  stop(id: string): Promise<Api.RunSummary>
  /** Reserves the world for a run in another process. Throws ApiError `conflict` if another run is in progress. */
  claim(id: string, request: Api.ClaimRequest): Api.Claim
  /** Throws ApiError `not-found` for an unknown id or name. */
  release(id: string): Api.Claim
  worldUse(): Api.WorldUse | null
}

export interface EventFeed {
  /** Follows the events after an id, or all events for `0`. A `gap` event replaces missed events. Throws ApiError for a bad id. */
  follow(after: string, onMore: () => void): Cursor<Api.Event>
  lastId(): string
}

export interface ControlActions extends Actions {
  /** Moves the clock to the instant `time`, or by the step `time`. Returns the number of attempts made while the clock moved. */
  advance(time: number, kind: 'instant' | 'step'): Promise<number>
  setSpeed(speed: number): Promise<void>
  /** Commits the start of a payment, and waits for the payment steps that are due immediately. */
  play(payment: Payment, writes: readonly Write[]): Promise<void>
  settle(timeoutMs: number): Promise<readonly Api.Waiting[]>
  resend(job: JobRecord): Promise<void>
  deliver(message: HttpMessage, times: number): Promise<readonly Exchange[]>
  snapshot(): Promise<Api.Snapshot>
  /** Returns the snapshot as lines of JSON. Throws if the world was replaced. */
  snapshotLines(): Iterable<string>
  restore(snapshot: Api.Snapshot): Promise<void>
  /** Starts to restore a snapshot in chunks. Throws ApiError `conflict` if a restore is currently impossible. */
  beginRestore(): Restoration
  reset(unsubscribed: 'report' | 'ignore'): Promise<void>
}

/** Restores a world in chunks. The current world does not change until `finish` is called. Expects validated data. */
export interface Restoration {
  /** Throws ApiError `invalid` for an entry that contradicts earlier entries. */
  addEntry(entry: Api.SnapshotEntry): void
  addRequest(request: Api.RequestRecord): void
  /** Replaces the current world. On failure, throws ApiError and changes nothing. Resolves when the replacement is durable. */
  finish(rest: Omit<Api.Snapshot, 'entries' | 'requests'>): Promise<void>
  discard(): void
}

export function withSeed(seed: number | undefined, context: ControlContext): ControlContext {
  return seed === undefined ? context : { ...context, ...createIds(createSeededRandom(seed)) }
}

/** The worlds of the sandbox. With the token of one world, calls for other worlds throw ApiError `forbidden`. */
export interface WorldOperations {
  /** Returns the world `default`, followed by all other worlds, oldest first. */
  list(): Promise<readonly Api.World[]>
  /** Throws ApiError `not-found` for an unknown id or name. */
  get(name: string): Promise<Api.WorldDetail>
  /** Adds a world. Throws ApiError `conflict` if another world has the same name or credentials. */
  add(request: Api.WorldRequest): Promise<Api.WorldDetail>
  /** Adds a copy of a world. Throws the same errors as `add`. If copying fails, no new world is left behind. */
  copy(name: string, request: Api.WorldCopyRequest): Promise<Api.WorldDetail>
  /** Removes a world. Resolves when all data of the world is deleted. */
  remove(name: string): Promise<Api.World>
}

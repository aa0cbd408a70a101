import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import type { Generation } from '../../../spec/delivery.ts'
import type { AttemptHead, AttemptStartHead } from './entries.ts'
import type { ExchangeRecord } from './exchange.ts'
import type { JobRecord, JobStatus } from './job.ts'

/** The jobs and what came of them, to read. A record is the job as it stood when it was asked for. */
export interface JobView {
  job(id: string): JobRecord | undefined
  /** The job with this place among all jobs, from 0. */
  jobAt(ordinal: number): JobRecord | undefined
  /** How many there are. */
  jobCount(): number
  /** A part of those that agree with the filter, oldest first, without a look at the others. */
  jobPage(filter: JobPageFilter, part: JobPart): JobPage
  /** Every one, oldest first; of one registration or of all. Slow where there are many: ask for a page. */
  jobs(registrationId?: string): readonly JobRecord[]
  /** Those that are due at `until` or earlier, by due time: at most `limit`, or all. */
  dueJobs(until?: number, limit?: number): readonly DueJob[]
  /** Those of which an attempt has begun and is not on record yet, oldest first. */
  begunJobs(): readonly JobRecord[]
  /** All ids of jobs that begin so. */
  jobIdsBeginning(start: string): readonly string[]
  /** The bytes that a job was made to send. Throws StorageError `damaged` if they are not what was written. */
  jobBody(job: JobRecord): string
  /** The same; undefined if they are not what was written. */
  jobBodyIfWhole(job: JobRecord): string | undefined
  attempts(job: JobRecord): readonly AttemptRecord[]
  /** The same without what was sent and answered, which costs to read. */
  attemptHeads(job: JobRecord): readonly AttemptHead[]
  /** The attempt of the job that has begun and is not on record yet. */
  attemptStart(job: JobRecord): AttemptStartRecord | undefined
}

/** Which jobs; all if nothing is given. */
export interface JobFilter {
  readonly registration_id?: string | undefined
  readonly status?: JobStatus | undefined
  readonly generation?: Generation | undefined
  readonly object_type?: string | undefined
}

export interface JobPageFilter extends JobFilter {
  /** Any id of the object that it is about. */
  readonly object_id?: string | undefined
}

/** From so many on, from the first whose ordinal is not below one, or the newest; the page begins there. */
export interface JobPart {
  readonly limit: number
  readonly offset?: number | undefined
  readonly ordinal?: number | undefined
}

export interface JobPage {
  readonly jobs: readonly JobRecord[]
  /** How many agree with the filter, and how many of them come before the page. */
  readonly total: number
  readonly before: number
  /** The ordinal of the first one after the page; undefined if none follows. */
  readonly next: number | undefined
}

export interface DueJob {
  readonly ordinal: number
  readonly dueAt: number
}

export interface AttemptRecord {
  readonly head: AttemptHead
  readonly exchange: ExchangeRecord
}

/** What is known of an attempt when it begins: `exchange` is the JSON of its request. */
export interface AttemptStartRecord {
  readonly head: AttemptStartHead
  readonly exchange: string
}

/** By any id that the object is asked for by: a job knows the one that the store keeps it by. */
export function objectFilter(
  id: string,
  { keptId }: { readonly keptId: (type: NotifiedType, id: string) => string | undefined },
): (job: Pick<JobRecord, 'object_type' | 'object_id'>) => boolean {
  const keptIdByType = new Map<string, string | undefined>(
    notifiedTypes.map((type) => [type, keptId(type, id)]),
  )
  return ({ object_type, object_id }) => object_id === id || object_id === keptIdByType.get(object_type)
}

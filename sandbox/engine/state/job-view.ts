import { notifiedTypes, type NotifiedType } from '../../../spec/notifications.ts'
import type { AttemptHead, AttemptStartHead, Head } from './entries.ts'
import type { ExchangeRecord } from './exchange.ts'
import type { Indexes } from './indexes.ts'
import { selectAmong, type JobFilter, type JobSelection } from './job-lists.ts'
import type { JobRecord } from './job.ts'
import { CorruptBodyError, readIfWhole } from './log.ts'
import { parseBody, type Read } from './read.ts'

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
  /** Those that an attempt follows for, oldest first. */
  dueJobs(): Iterable<DueJob>
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

export interface JobViewPorts {
  readonly indexes: () => Indexes
  readonly read: Read
  /** The id that the object with this id is kept by; undefined if there is none. */
  readonly keptId: (type: NotifiedType, id: string) => string | undefined
}

export function createJobView(ports: JobViewPorts): JobView {
  const { indexes, read } = ports
  const toRecord = (ordinal: number) => indexes().jobs.record(ordinal)
  return {
    ...createAttemptsView(read),
    job(id) {
      const ordinal = indexes().jobs.find(id)
      return ordinal === undefined ? undefined : toRecord(ordinal)
    },
    jobAt: (ordinal) => (ordinal < indexes().jobs.length ? toRecord(ordinal) : undefined),
    jobCount: () => indexes().jobs.length,
    jobPage(filter, { limit, offset, ordinal }) {
      const { total, countBefore, ordinals } = select(filter, ports)
      const first = ordinal === undefined ? (offset ?? Math.max(0, total - limit)) : countBefore(ordinal)
      const found = ordinals(first, limit + 1)
      return { jobs: found.slice(0, limit).map(toRecord), total, before: first, next: found[limit] }
    },
    jobs(registration_id) {
      const { total, ordinals } = select({ registration_id }, ports)
      return ordinals(0, total).map(toRecord)
    },
    *dueJobs() {
      const { jobs } = indexes()
      for (let ordinal = 0; ordinal < jobs.length; ordinal++) {
        const dueAt = jobs.nextDueAt(ordinal)
        if (dueAt !== null) yield { ordinal, dueAt }
      }
    },
    begunJobs: () => [...indexes().jobs.begun()].toSorted((a, b) => a - b).map(toRecord),
    jobIdsBeginning: (start) => indexes().jobs.idsBeginning(start),
    jobBody: (job) => read(job.position).body,
    jobBodyIfWhole: (job) => readIfWhole(() => read(job.position).body),
  }
}

function createAttemptsView(read: Read): Pick<JobView, 'attempts' | 'attemptHeads' | 'attemptStart'> {
  return {
    attempts: (job) =>
      job.attempts.flatMap((position) => {
        const { head, body = LOST_EXCHANGE } = readAttempt(read, position) ?? {}
        return head?.kind === 'attempt' ? [{ head, exchange: parseBody<ExchangeRecord>(body) }] : []
      }),
    attemptHeads: (job) =>
      job.attempts.flatMap((position) => {
        const head = readAttempt(read, position)?.head
        return head?.kind === 'attempt' ? [head] : []
      }),
    attemptStart(job) {
      if (job.begun === null) return undefined
      const { head, body = LOST_EXCHANGE } = readAttempt(read, job.begun) ?? {}
      return head?.kind === 'attempt-start' ? { head, exchange: body } : undefined
    },
  }
}

/** How an attempt ended is known also where what was sent and answered is not what was written; undefined if nothing of it is known. */
function readAttempt(
  read: Read,
  position: number,
): { readonly head: Head; readonly body?: string } | undefined {
  return readIfWhole(() => {
    try {
      return read(position)
    } catch (error) {
      if (error instanceof CorruptBodyError) return { head: error.head }
      throw error
    }
  })
}

const LOST_EXCHANGE = JSON.stringify({
  request_headers: [],
  request_body: '',
  response: null,
} satisfies ExchangeRecord)

/** Of an object there are few jobs: they are looked at one by one. */
function select(
  { object_id, ...filter }: JobPageFilter,
  { indexes, keptId }: Pick<JobViewPorts, 'indexes' | 'keptId'>,
): JobSelection {
  const { jobs } = indexes()
  if (object_id === undefined) return jobs.lists.select(filter)
  const ids = new Set([object_id, ...notifiedTypes.flatMap((type) => keptId(type, object_id) ?? [])])
  const isAbout = objectFilter(object_id, { keptId })
  const found = [...ids]
    .flatMap((id) => jobs.ofObject(id))
    .filter((ordinal) => {
      const job = jobs.record(ordinal)
      return isAbout(job) && matches(job, filter)
    })
  return selectAmong(found.toSorted((a, b) => a - b))
}

/** By any id that the object is asked for by: a job knows the one that the store keeps it by. */
export function objectFilter(
  id: string,
  { keptId }: Pick<JobViewPorts, 'keptId'>,
): (job: Pick<JobRecord, 'object_type' | 'object_id'>) => boolean {
  const keptIdByType = new Map<string, string | undefined>(
    notifiedTypes.map((type) => [type, keptId(type, id)]),
  )
  return ({ object_type, object_id }) => object_id === id || object_id === keptIdByType.get(object_type)
}

function matches(job: JobRecord, filter: JobFilter): boolean {
  const { registration_id, status, generation, object_type } = filter
  return (
    isSame(registration_id, job.registration_id) &&
    isSame(status, job.status) &&
    isSame(generation, job.generation) &&
    isSame(object_type, job.object_type)
  )
}

function isSame(expected: string | undefined, actual: string): boolean {
  return expected === undefined || expected === actual
}

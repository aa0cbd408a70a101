import { notifiedTypes, type NotifiedType } from '../../../../spec/notifications.ts'
import type { AttemptHead, AttemptStartHead, Entry, JobHead, ExchangeRecord } from '../entries.ts'
import type { JobRecord, JobStatus } from '../job.ts'
import { CorruptBodyError, readIfWhole } from '../storage-error.ts'
import type { StoredWorld } from './world.ts'
import { MAX_JOBS, readBody, readEntry, readHead } from './history.ts'
import { pageAmong, pageOfJobs, type JobPageFilter, type JobPart } from './job-pages.ts'
import { createDueView, idsBeginning } from './lists.ts'
import type { ObjectView } from './objects.ts'
import { changeJob, findJob, findJobAt, insertJob, selectJobs } from './job-rows.ts'

export function addJob(world: StoredWorld, { kind: _, at, ...about }: JobHead, position: number): void {
  const { state } = world
  const ordinal = state.webhook_jobs + state.callback_jobs
  const turn = about.generation === 'webhooks' ? state.webhook_jobs++ : state.callback_jobs++
  insertJob(world, {
    ...about,
    ordinal,
    turn,
    position,
    created_at: at,
    ...firstState(at),
    attempt_positions: '',
  })
}

/** The part of a job that its attempts change. */
type JobState = ReturnType<typeof firstState>

const firstState = (created_at: number) => ({
  updated_at: created_at,
  status: 'pending' as JobStatus,
  attempts: 0,
  scheduled: 0,
  last: null as string | null,
  first_ended_at: null as number | null,
  next_due_at: created_at as number | null,
  matched_faults: null as string | null,
})

/** Returns the changes after an attempt. After an interrupted attempt, the same faults apply to the next attempt. A failed job is still retried, but success is final. Source: §7. Reading: webhook-jobs */
function changesAfter(
  before: JobState,
  { at, reason, status, manual, next_due_at }: AttemptHead,
): Partial<JobState> {
  const ended = { attempts: before.attempts + 1, last: reason ?? String(status) }
  if (reason === 'interrupted') return ended
  return {
    ...ended,
    scheduled: before.scheduled + Number(manual !== true),
    updated_at: at,
    first_ended_at: before.first_ended_at ?? at,
    next_due_at,
    matched_faults: null,
    status: reason === null ? 'success' : before.status === 'pending' ? 'failed' : before.status,
  }
}

export function beginAttempt(world: StoredWorld, jobId: string, position: number): void {
  const job = findJob(world, jobId)
  if (job) world.state.begun.set(job.ordinal, position)
}

export function endAttempt(world: StoredWorld, head: AttemptHead, position: number): void {
  const job = findJob(world, head.job_id)
  if (!job) return
  world.state.begun.delete(job.ordinal)
  const attempt_positions = job.attempts === 0 ? String(position) : `${job.attempt_positions},${position}`
  changeJob(world, job, { ...changesAfter(job, head), attempt_positions })
}

export function cancelJob(world: StoredWorld, jobId: string): void {
  const job = findJob(world, jobId)
  if (job) changeJob(world, job, { next_due_at: null })
}

/** The condition that finds an object's jobs in the entries after each version. An index by object would slow down deliveries. */
const OF_OBJECT = `INDEXED BY jobs_by_id WHERE world = ? AND id IN (
  SELECT history.head ->> 'id' FROM objects JOIN history
  ON history.world = objects.world AND history.position BETWEEN objects.position + 1 AND objects.position + ${MAX_JOBS}
  WHERE objects.world = ? AND objects.type = ? AND objects.id = ?
  AND history.kind = 'job' AND history.head ->> 'object_id' = objects.id)`

/** Reads jobs with their attempts, oldest first. A JobRecord is a copy, which later writes do not change. */
export function createJobView(world: StoredWorld, { storedId }: Pick<ObjectView, 'storedId'>) {
  const bodyOf = (job: JobRecord) => readBody(world, job.position)
  const due = createDueView(world, 'jobs')
  return {
    ...createAttemptView(world),
    job: (id: string) => findJob(world, id),
    /** Returns the job as it was after the entry at this position, which is the job itself or one of its attempts. */
    jobAfter(id: string, position: number): JobRecord | undefined {
      const job = findJob(world, id)
      return job && { ...job, ...stateAt(world, job, position) }
    },
    jobAt: (ordinal: number) => findJobAt(world, ordinal),
    jobCount: () => world.state.webhook_jobs + world.state.callback_jobs,
    jobPage({ object_id, ...filter }: JobPageFilter, part: JobPart) {
      if (object_id === undefined) return pageOfJobs(world, filter, part)
      const jobs = notifiedTypes.flatMap((type) => {
        const id = storedId(type, object_id)
        return id === undefined ? [] : selectJobs(world, OF_OBJECT, [world.number, type, id])
      })
      // Removes duplicates. A job can be found twice if objects of two types have the same id.
      const byOrdinal = new Map(jobs.map((job) => [job.ordinal, job]))
      const sorted = [...byOrdinal.values()].toSorted((a, b) => a.ordinal - b.ordinal)
      return pageAmong(sorted, filter, part)
    },
    /** Returns all jobs, or all jobs of one registration. Slow for many jobs, so prefer `jobPage`. */
    jobs: (registration_id?: string) =>
      pageOfJobs(world, { registration_id }, { limit: Number.MAX_SAFE_INTEGER, offset: 0 }).jobs,
    dueJobs: due.due,
    nextDueAt: due.nextDueAt,
    begunJobs: () =>
      [...world.state.begun.keys()]
        .toSorted((a, b) => a - b)
        .flatMap((ordinal) => findJobAt(world, ordinal) ?? []),
    jobIdsBeginning: (start: string) => idsBeginning(world, 'jobs', start),
    /** Returns the original body of a job. Throws StorageError `damaged` if the body was changed. */
    jobBody: bodyOf,
    jobBodyIfWhole: (job: JobRecord) => readIfWhole(() => bodyOf(job)),
  }
}

/** Returns a filter for the jobs of an object. `id` can be any id of the object. Jobs contain only the stored id of their object. */
export function objectFilter(
  id: string,
  { storedId }: { readonly storedId: (type: NotifiedType, id: string) => string | undefined },
): (job: Pick<JobRecord, 'object_type' | 'object_id'>) => boolean {
  const storedIdByType = new Map<string, string | undefined>(
    notifiedTypes.map((type) => [type, storedId(type, id)]),
  )
  return ({ object_type, object_id }) => object_id === id || object_id === storedIdByType.get(object_type)
}

export interface AttemptRecord {
  readonly head: AttemptHead
  readonly exchange: ExchangeRecord
}

/** The start of an attempt. `exchange` is the request of the attempt as JSON. */
export interface AttemptStartRecord {
  readonly head: AttemptStartHead
  readonly exchange: string
}

const positionsOf = ({ attempts, attempt_positions }: JobRecord) =>
  attempts === 0 ? [] : attempt_positions.split(',').map(Number)

function stateAt(world: StoredWorld, job: JobRecord, end: number): JobState {
  const state = firstState(job.created_at)
  for (const position of positionsOf(job)) {
    if (position > end) break
    const head = readHead(world, position)
    if (head.kind === 'attempt') Object.assign(state, changesAfter(state, head))
  }
  return state
}

function createAttemptView(world: StoredWorld) {
  function read(position: number): Entry | undefined {
    return readIfWhole(() => {
      try {
        return readEntry(world, position)
      } catch (error) {
        if (error instanceof CorruptBodyError) return { head: error.head, body: LOST_EXCHANGE }
        throw error
      }
    })
  }

  return {
    attempts: (job: JobRecord) =>
      positionsOf(job).flatMap((position): readonly AttemptRecord[] => {
        const { head, body = '' } = read(position) ?? {}
        return head?.kind === 'attempt' ? [{ head, exchange: JSON.parse(body) }] : []
      }),
    /** Returns the heads of a job's attempts, without the exchanges, which are slow to read. */
    attemptHeads: (job: JobRecord) =>
      positionsOf(job).flatMap((position): readonly AttemptHead[] => {
        const head = readIfWhole(() => readHead(world, position))
        return head?.kind === 'attempt' ? [head] : []
      }),
    attemptStart({ ordinal }: JobRecord): AttemptStartRecord | undefined {
      const position = world.state.begun.get(ordinal)
      const { head, body = '' } = (position !== undefined && read(position)) || {}
      return head?.kind === 'attempt-start' ? { head, exchange: body } : undefined
    },
  }
}

const LOST_EXCHANGE = JSON.stringify({
  request_headers: [],
  request_body: '',
  response: null,
} satisfies ExchangeRecord)

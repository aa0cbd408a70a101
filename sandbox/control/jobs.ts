import { deliveredTypes } from '../../spec/delivery.ts'
import type { Attempt, JobSummary } from '../../spec/generated/control-types.ts'
import type { Inputs } from '../../spec/generated/control-operations.ts'
import { ApiError } from '../http/api-error.ts'
import { reply, timestamp } from '../operations/operation.ts'
import { aboutObject } from '../operations/webhook-jobs.ts'
import type { JobRecord } from '../state/indexes.ts'
import type { AttemptRecord, View } from '../state/store.ts'
import type { ControlOperation } from './operation.ts'

type Filter = Inputs['listJobs']['query']

/** A cursor is the ordinal of the first job of its page. */
export const listJobs: ControlOperation<'listJobs'> = ({ query }, { view }) => {
  refuseUnknownType(query.object_type)
  const isAbout = query.object_id === undefined ? () => true : aboutObject(query.object_id, view)
  const matching = view.jobs().filter((job) => matches(job, query) && isAbout(job))
  const start =
    query.cursor === undefined
      ? Math.max(0, matching.length - query.limit)
      : indexFrom(matching, ordinalOf(query.cursor))
  const page = matching.slice(start, start + query.limit)
  const next = matching[start + query.limit]
  return reply(200, {
    jobs: page.map(summary),
    older: start,
    next_cursor: next ? String(next.ordinal) : null,
  })
}

export const getJob: ControlOperation<'getJob'> = ({ path }, { view }) => {
  const job = view.job(path.id)
  if (!job) {
    const hint = 'list them with "npx hookbench jobs"'
    throw new ApiError('not-found', { field: 'id', message: `Cannot find job "${path.id}"`, hint })
  }
  return reply(200, {
    job: summary(job),
    attempts: view.attempts(job).map((attempt) => shown(attempt, job, view)),
  })
}

function matches(job: JobRecord, { status, object_type, generation }: Filter): boolean {
  return (
    (status === undefined || job.status === status) &&
    (object_type === undefined || job.object_type === object_type) &&
    (generation === undefined || job.generation === generation)
  )
}

/** A misspelt type has no jobs either, and would look like a sandbox that sends nothing. */
function refuseUnknownType(type: string | undefined): void {
  if (type === undefined || deliveredTypes.includes(type)) return
  throw new ApiError('invalid', {
    field: 'object_type',
    message: `Cannot list jobs of "${type}": the object types are ${deliveredTypes.join(', ')}`,
  })
}

function ordinalOf(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new ApiError('invalid', {
    field: 'cursor',
    message: `Cannot page from "${cursor}": it is no cursor of ours`,
  })
}

function indexFrom(jobs: readonly JobRecord[], ordinal: number): number {
  const index = jobs.findIndex((job) => job.ordinal >= ordinal)
  return index === -1 ? jobs.length : index
}

function summary(job: JobRecord): JobSummary {
  return {
    id: job.id,
    generation: job.generation,
    registration_id: job.registration_id,
    object_type: job.object_type,
    object_id: job.object_id,
    state: job.state,
    status: job.status,
    attempts: job.attempts.length,
    created_at: timestamp(job.created_at),
    next_due_at: job.next_due_at === null ? null : timestamp(job.next_due_at),
    url: job.url,
    last: job.last,
  }
}

function shown({ head, exchange }: AttemptRecord, job: JobRecord, view: View): Attempt {
  const { timings } = head
  return {
    number: head.number,
    url: head.url,
    due_at: timestamp(head.due_at),
    started_at: timestamp(head.started_at),
    ended_at: timestamp(head.at),
    status: head.status,
    reason: head.reason,
    message: head.message,
    next_due_at: head.next_due_at === null ? null : timestamp(head.next_due_at),
    flags: [...head.flags],
    timings: {
      connected_ms: timings.connectedMs,
      answered_ms: timings.answeredMs,
      total_ms: timings.totalMs,
    },
    request: { headers: pairs(exchange.request_headers), body: exchange.request_body ?? view.jobBody(job) },
    response:
      exchange.response === null || head.status === null
        ? null
        : {
            status: head.status,
            headers: pairs(exchange.response.headers),
            body: Buffer.from(exchange.response.body, 'base64').toString('utf8'),
          },
  }
}

function pairs(headers: readonly (readonly [string, string])[]): [string, string][] {
  return headers.map(([name, value]) => [name, value])
}

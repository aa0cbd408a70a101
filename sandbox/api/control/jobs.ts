import type { Attempt, JobDetail, JobSummary } from '../../../spec/generated/control-types.ts'
import { deliveredTypes } from '../../../spec/delivery.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { performInEpoch, reply } from '../operations/operation.ts'
import type { AttemptRecord } from '../../engine/state/job-view.ts'
import type { View } from '../../engine/state/view.ts'
import { toHeaderPairs, toExchangeDetail, toAttemptResponse, toTimings } from './exchanges.ts'
import type { ControlOperation } from './operation.ts'
import { parseCursor } from './cursor-pages.ts'
import { completeId, completeObjectId } from './short-ids.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { JobRecord } from '../../engine/state/job.ts'

export const listJobs: ControlOperation<'listJobs'> = ({ query }, { view }) => {
  refuseUnknownType(query.object_type)
  const { limit, cursor, object_id, ...filter } = query
  const whole =
    object_id === undefined ? undefined : completeObjectId(object_id, view, { field: 'object_id' })
  const ordinal = cursor === undefined ? undefined : parseCursor(cursor)
  const { jobs, before, next } = view.jobPage({ ...filter, object_id: whole }, { limit, ordinal })
  const next_cursor = next === undefined ? null : String(next)
  return reply(200, { jobs: jobs.map(toJobSummary), older: before, next_cursor })
}

/** A misspelt type has nothing to list, and would look like a sandbox that does nothing. */
export function refuseUnknownType(type: string | undefined): void {
  if (type === undefined || deliveredTypes.includes(type)) return
  throw new ApiError('invalid', {
    field: 'object_type',
    message: `Cannot list object type "${type}": the object types are ${deliveredTypes.join(', ')}`,
  })
}

export const getJob: ControlOperation<'getJob'> = ({ path }, { view }) =>
  reply(200, toJobDetail(findJob(path.id, view), view))

/** What only the operator of the service can do with a webhook that failed. Source: §8 */
export const resendJob: ControlOperation<'resendJob'> = ({ path }, { view }) => {
  const job = findJob(path.id, view)
  return performInEpoch(
    (actions) => actions.resend(job),
    () => reply(200, toJobDetail(findJob(job.id, view), view)),
  )
}

function findJob(id: string, view: View): JobRecord {
  const job = view.job(id) ?? view.job(completeId(id, view.jobIdsBeginning))
  if (job) return job
  const remedy = { hint: 'list them', command: 'jobs' }
  throw new ApiError('not-found', { field: 'id', message: `Cannot find job "${id}"`, ...remedy })
}

function toJobDetail(job: JobRecord, view: View): JobDetail {
  return {
    job: toJobSummary(job),
    attempts: view.attempts(job).map((attempt) => toAttempt(attempt, job, view)),
  }
}

/** A job without its attempts. */
export function toJobSummary(job: JobRecord): JobSummary {
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

function toAttempt({ head, exchange }: AttemptRecord, job: JobRecord, view: View): Attempt {
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
    manual: head.manual ?? false,
    faults: (head.faults ?? []).map((fault) => ({ ...fault })),
    others: (exchange.others ?? []).map(toExchangeDetail),
    timings: toTimings(head.timings),
    request: {
      headers: toHeaderPairs(exchange.request_headers),
      body: exchange.request_body ?? view.jobBody(job),
    },
    response: toAttemptResponse(head.status, exchange.response),
  }
}

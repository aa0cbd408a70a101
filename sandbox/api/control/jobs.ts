import type { Attempt, JobDetail, JobSummary } from '../../../spec/generated/control-types.ts'
import { deliveredTypes, retryOffsetsMs } from '../../../spec/delivery.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { notFoundError, refuseField } from '../../engine/core/api-error.ts'
import { currentBody } from '../../engine/delivery/body-at.ts'
import { performInEpoch, reply, type Context } from '../operations/operation.ts'
import type { AttemptRecord } from '../../engine/state/queries/jobs.ts'
import type { View } from '../../engine/state/view.ts'
import { toAdvice, toHeaderPairs, toExchangeDetail, toAttemptResponse, toTimings } from './exchanges.ts'
import { readPastOrPresent } from './look-back.ts'
import type { ControlOperation } from './operation.ts'
import { parseCursor } from './cursor-pages.ts'
import { completeId, completeObjectId } from './short-ids.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { JobRecord } from '../../engine/state/job.ts'

export const listJobs: ControlOperation<'listJobs'> = readPastOrPresent(({ query }, context) => {
  const { view } = context
  refuseUnknownType(query.object_type)
  const { limit, cursor, object_id, ...filter } = query
  const whole =
    object_id === undefined ? undefined : completeObjectId(object_id, view, { field: 'object_id' })
  const ordinal = cursor === undefined ? undefined : parseCursor(cursor)
  const { jobs, before, next } = view.jobPage({ ...filter, object_id: whole }, { limit, ordinal })
  const next_cursor = next === undefined ? null : String(next)
  return reply(200, { jobs: jobs.map((job) => toJobSummary(job, context)), older: before, next_cursor })
})

/** Throws ApiError for an unknown type. An empty list for a misspelt type would look like an idle sandbox. */
export function refuseUnknownType(type: string | undefined): void {
  if (type === undefined || deliveredTypes.includes(type)) return
  refuseField(
    'object_type',
    `Cannot list object type "${type}": the object types are ${deliveredTypes.join(', ')}`,
  )
}

export const getJob: ControlOperation<'getJob'> = readPastOrPresent(({ path }, context) =>
  reply(200, toJobDetail(findJob(path.id, context.view), context)),
)

export const getCurrentBody: ControlOperation<'getCurrentBody'> = readPastOrPresent(({ path }, context) =>
  reply(200, { body: currentBody(findJob(path.id, context.view), context) ?? null }),
)

/** Sends a failed webhook again. In the real service, only its operators can resend a webhook. Source: §8 */
export const resendJob: ControlOperation<'resendJob'> = ({ path }, context) => {
  const { view } = context
  const job = findJob(path.id, view)
  return performInEpoch(
    (actions) => actions.resend(job),
    () => reply(200, toJobDetail(findJob(job.id, view), context)),
  )
}

function findJob(id: string, view: View): JobRecord {
  const job = view.job(id) ?? view.job(completeId(id, view.jobIdsBeginning))
  if (job) return job
  throw notFoundError('job', id, 'jobs')
}

function toJobDetail(job: JobRecord, context: JobContext): JobDetail {
  const { view } = context
  const isCorrupt = view.jobBodyIfWhole(job) === undefined
  return {
    ...(isCorrupt && { corrupt: true as const }),
    job: toJobSummary(job, context),
    attempts: view.attempts(job).map((attempt) => toAttempt(attempt, job, view)),
  }
}

type JobContext = Pick<Context, 'view' | 'readings'>

export function toJobSummary(job: JobRecord, { view, readings }: JobContext): JobSummary {
  const windowEndsAt = findWindowEnd(job, readings())
  const { id, generation, registration_id, object_type, object_id, state, status, attempts, url, last } = job
  const same = { id, generation, registration_id, object_type, object_id, state, status, attempts, url, last }
  return {
    ...same,
    created_at: timestamp(job.created_at),
    next_due_at: job.next_due_at === null ? null : timestamp(job.next_due_at),
    payment_id: view.paymentOf(job.object_type, job.object_id)?.id ?? null,
    window_ends_at: windowEndsAt === undefined ? null : timestamp(windowEndsAt),
  }
}

function findWindowEnd(
  { status, generation, first_ended_at, next_due_at, created_at }: JobRecord,
  readings: ReadingValues,
): number | undefined {
  const lastOffsetMs = status === 'success' ? undefined : retryOffsetsMs(generation, readings).at(-1)
  return lastOffsetMs === undefined ? undefined : (first_ended_at ?? next_due_at ?? created_at) + lastOffsetMs
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
    ...toAdvice(head, exchange.request_headers),
    manual: head.manual ?? false,
    faults: (head.faults ?? []).map((fault) => ({ ...fault })),
    others: (exchange.others ?? []).map((other) => toExchangeDetail(other, exchange.request_headers)),
    timings: toTimings(head.timings),
    request: {
      headers: toHeaderPairs(exchange.request_headers),
      body: exchange.request_body ?? view.jobBodyIfWhole(job) ?? '',
    },
    response: toAttemptResponse(head.status, exchange.response),
  }
}

import type { TimelineCall, TimelineJob, TimelinePayment } from '../../../spec/generated/control-types.ts'
import { isNotifiedType } from '../../../spec/notifications.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { JobRecord } from '../../engine/state/job.ts'
import { reply } from '../operations/operation.ts'
import { parseCursor } from './cursor-pages.ts'
import { toJobSummary } from './jobs.ts'
import { lookBack } from './look-back.ts'
import type { ControlContext, ControlOperation } from './operation.ts'

/** Returns the newest page first. */
export const listTimeline: ControlOperation<'listTimeline'> = lookBack(({ query }, context) => {
  const { limit, before } = query
  const { view } = context
  const { total } = view.jobPage({}, { limit: 1 })
  const end = before === undefined ? total : Math.min(total, parseCursor(before, 'before'))
  const older = Math.max(0, end - limit)
  // Without a filter, the ordinal of a job is its place.
  const { jobs } = view.jobPage({}, { limit: end - older, offset: older })
  return reply(200, {
    jobs: end === older ? [] : jobs.map((job) => toTimelineJob(job, context)),
    payments: end === older ? [] : findPayments(jobs, context),
    calls: end === older ? [] : findCalls(jobs, context),
    older,
    before: older === 0 ? null : String(older),
  })
})

function toTimelineJob(job: JobRecord, context: ControlContext): TimelineJob {
  const attempts = context.view.attemptHeads(job).map(({ number, at, status, reason, manual = false }) => {
    return { number, at: timestamp(at), status, reason, manual }
  })
  return { job: toJobSummary(job, context), attempts }
}

function findPayments(jobs: readonly JobRecord[], { view }: ControlContext): TimelinePayment[] {
  const found = jobs.flatMap(({ object_type, object_id }) => view.paymentOf(object_type, object_id) ?? [])
  return [...new Map(found.map((payment) => [payment.id, payment])).values()].map(
    ({ id, kind, outcome, amount, currency, step, steps }) => {
      return { id, kind, outcome, amount, currency, step, steps }
    },
  )
}

function findCalls(jobs: readonly JobRecord[], { view, requests }: ControlContext): TimelineCall[] {
  const objects = new Set(jobs.map(({ object_type, object_id }) => `${object_type}/${object_id}`))
  return requests().flatMap(({ id, at, object_type, object_id: asked, operation, status }) => {
    if (object_type === null || asked === null || operation === null || !isNotifiedType(object_type))
      return []
    const object_id = view.keptId(object_type, asked) ?? asked
    return objects.has(`${object_type}/${object_id}`)
      ? [{ id, at, object_type, object_id, operation, status }]
      : []
  })
}

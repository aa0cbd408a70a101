import type {
  AppliedFault,
  TimelineCall,
  TimelineJob,
  TimelinePayment,
} from '../../../spec/generated/control-types.ts'
import { isNotifiedType } from '../../../spec/notifications.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { JobRecord } from '../../engine/state/job.ts'
import type { View } from '../../engine/state/view.ts'
import { reply } from '../operations/operation.ts'
import { parseCursor } from './cursor-pages.ts'
import { decodeText } from './exchanges.ts'
import { toJobSummary } from './jobs.ts'
import { readPastOrPresent } from './look-back.ts'
import type { ControlContext, ControlOperation } from './operation.ts'

/**
 * Lists jobs with their attempts, and with the payments and calls about the same objects. The first page contains the newest
 * jobs.
 */
export const listTimeline: ControlOperation<'listTimeline'> = readPastOrPresent(({ query }, context) => {
  const { limit, before, text } = query
  const { view } = context
  const { total } = view.jobPage({}, { limit: 1 })
  const end = before === undefined ? total : Math.min(total, parseCursor(before, 'before'))
  const older = Math.max(0, end - limit)
  // In the unfiltered list, a job's number is also its position.
  const page = view.jobPage({}, { limit: end - older, offset: older })
  const jobs = text === undefined ? page.jobs : page.jobs.filter((job) => hasText(job, text, view))
  return reply(200, {
    jobs: end === older ? [] : jobs.map((job) => toTimelineJob(job, context)),
    payments: end === older ? [] : findPayments(jobs, context),
    calls: end === older ? [] : findCalls(jobs, context),
    older,
    before: older === 0 ? null : String(older),
  })
})

function hasText(job: JobRecord, text: string, view: View): boolean {
  const wanted = text.toLowerCase()
  const has = (...texts: readonly string[]) => texts.some((each) => each.toLowerCase().includes(wanted))
  return (
    has(view.jobBodyIfWhole(job) ?? '') ||
    view
      .attempts(job)
      .some(({ exchange: { request_headers, request_body, response } }) =>
        has(
          ...request_headers.flat(),
          request_body ?? '',
          ...(response === null ? [] : [...response.headers.flat(), decodeText(response.body)]),
        ),
      )
  )
}

function toTimelineJob(job: JobRecord, context: ControlContext): TimelineJob {
  const attempts = context.view.attemptHeads(job).map((head) => ({
    number: head.number,
    at: timestamp(head.at),
    status: head.status,
    reason: head.reason,
    manual: head.manual ?? false,
    took_ms: head.timings.totalMs,
    faults: toKinds(head.faults),
  }))
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
  return requests().flatMap(({ id, at, object_type, object_id: asked, operation, status, faults }) => {
    if (object_type === null || asked === null || operation === null || !isNotifiedType(object_type))
      return []
    const object_id = view.storedId(object_type, asked) ?? asked
    return objects.has(`${object_type}/${object_id}`)
      ? [{ id, at, object_type, object_id, operation, status, faults: toKinds(faults) }]
      : []
  })
}

const toKinds = (faults: readonly AppliedFault[] = []) => faults.map(({ kind }) => kind)

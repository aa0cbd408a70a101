import { createHash } from 'node:crypto'
import type { WebhookJob } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { shownBody } from '../../engine/delivery/body-at.ts'
import { isVisible } from '../../engine/delivery/recording-lag.ts'
import { reply, type Context, type Operation } from './operation.ts'
import { findWebhook } from './webhooks.ts'
import { recordTimestamp } from '../../engine/core/timestamp.ts'
import type { JobRecord } from '../../engine/state/job.ts'

/** Lists one job for each notification of a webhook. `failed` selects jobs that were not delivered. Source: §4 */
export const listWebhookJobs: Operation<'listWebhookJobs'> = ({ path, query }, context) => {
  const webhook = findWebhook(path.uuid, context)
  const { status, object_id, limit, offset } = query
  const filter = { registration_id: webhook.id, status, object_id }
  const { jobs, total } = context.view.jobPage(filter, { limit, offset })
  const links = { self: `/webhooks/${webhook.id}/jobs`, webhooks: `/webhooks/${webhook.id}` }
  return reply(200, {
    jobs: jobs.flatMap((job) => toWebhookJob(job, context) ?? []),
    links,
    meta: { limit, offset, total },
  })
}

/** Source: §4 */
export const showWebhookJob: Operation<'showWebhookJob'> = ({ path }, context) => {
  const webhook = findWebhook(path.uuid, context)
  const job = context.view.job(path.job)
  const shown = job?.registration_id === webhook.id ? toWebhookJob(job, context) : undefined
  if (!job || !shown) throw new ApiError('not-found', 'resource not found')
  const links = { self: `/webhooks/${webhook.id}/jobs/${job.id}`, jobs: `/webhooks/${webhook.id}/jobs` }
  return reply(200, { ...shown, links })
}

/** Returns undefined for damaged data. The payload uses the document's words, because the whole reply is translated later. */
function toWebhookJob(job: JobRecord, context: Context): WebhookJob | undefined {
  const clocks = { now: context.now(), realNow: context.realNow() }
  const sent = shownBody(job, context)
  if (sent === undefined) return undefined
  const readings = context.readings()
  return {
    uuid: job.id,
    webhook_uuid: job.registration_id,
    status: job.status,
    hashed_payload: createHash('sha256').update(sent).digest('hex'),
    payload: context.translator.inward(JSON.parse(sent)),
    created_at: recordTimestamp(job.created_at, readings),
    updated_at: recordTimestamp(job.updated_at, readings),
    request_response: context.view
      .attempts(job)
      .filter(({ head }) => isVisible(head, clocks, readings))
      .map(({ head: { status, message, at } }) => {
        return { response_code: status, message, created_at: recordTimestamp(at, readings) }
      }),
  }
}

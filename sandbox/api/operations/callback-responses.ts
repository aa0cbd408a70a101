import type { CallbackResponse } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { shownBody } from '../../engine/delivery/body-at.ts'
import { findCallback } from './callbacks.ts'
import { reply, type Context, type Operation } from './operation.ts'
import { hasKey } from './offset-pages.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { AttemptHead } from '../../engine/state/entries.ts'
import type { JobRecord } from '../../engine/state/job.ts'

/** One entry per trigger, listed at once. Source: §4. Readings: callback-operations, test-post-listed */
export const listCallbackResponses: Operation<'listCallbackResponses'> = ({ path, query }, context) => {
  const { id } = findCallback(path.id, context)
  const { limit, offset } = query
  const { jobs, total } = context.view.jobPage({ registration_id: id }, { limit, offset })
  const links = { self: `/callbacks/${id}/responses`, callbacks: `/callbacks/${id}` }
  const callback_responses = jobs.flatMap((job) => toCallbackResponse(job, context) ?? [])
  return reply(200, {
    ...(hasKey(jobs, context.readings()) && { callback_responses }),
    meta: { limit, offset, total },
    links,
  })
}

export const showCallbackResponse: Operation<'showCallbackResponse'> = ({ path }, context) => {
  const callback = findCallback(path.id, context)
  const job = context.view.job(path.response)
  const shown = job?.registration_id === callback.id ? toCallbackResponse(job, context) : undefined
  if (!shown) throw new ApiError('not-found', { field: 'id', message: 'not found' })
  return reply(200, { callback_responses: shown })
}

/**
 * What came of the last attempt; nothing yet, before the first has ended. Its payload is in our words: the reply as a whole is
 * put into the platform's. Undefined where what the store has of it and of its object is damaged.
 */
function toCallbackResponse(job: JobRecord, context: Context): CallbackResponse | undefined {
  const sent = shownBody(job, context)
  if (sent === undefined) return undefined
  const last = context.view.attempts(job).at(-1)?.head
  return {
    id: job.id,
    created_at: timestamp(job.created_at),
    url: last?.url ?? job.url,
    payload: context.translator.inward(JSON.parse(sent)),
    response: { error: describeAnswer(last) },
    response_code: last?.status ?? null,
  }
}

/** Null before the first attempt has ended. Reading: callback-operations */
function describeAnswer(last: AttemptHead | undefined): string | null {
  if (last === undefined) return null
  return last.reason === null ? 'OK' : last.message
}

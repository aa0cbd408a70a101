import type { Callback, CallbackResponse } from '../../../spec/generated/service-types.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { type Context, type Operation, reply } from './operation.ts'
import { checkReceiverUrl, createRegistration, pageByOffset, updateRegistration } from './registrations.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { CallbackRegistration } from '../../engine/state/entries.ts'
import { shownBody } from '../../engine/delivery/body-at.ts'
import type { JobRecord } from '../../engine/state/job.ts'

export const createCallback: Operation<'createCallback'> = ({ body }, context) => {
  const { object_type, enabled = true, description = null } = body
  const url = checkReceiverUrl(body.url, context)
  const wanted = { generation: 'callbacks', url, object_type, enabled, description } as const
  return createRegistration(wanted, wrapCallback, context)
}

export const listCallbacks: Operation<'listCallbacks'> = ({ query }, { view, readings }) => {
  const { page, meta } = pageByOffset(view.registrations('callbacks'), query)
  return reply(200, {
    ...(hasKey(page, readings()) && { callbacks: page.map(toCallback) }),
    meta,
    links: { self: '/callbacks' },
  })
}

/** Returns true if the reply contains the key `callbacks`. For an empty list, a reading decides. Reading: empty-lists */
function hasKey(page: readonly unknown[], readings: ReadingValues): boolean {
  return page.length > 0 || readings['empty-lists'] === 'empty'
}

export const showCallback: Operation<'showCallback'> = ({ path }, context) =>
  reply(200, wrapCallback(findCallback(path.id, context)))

/** Updates a callback. Unlike a webhook, a callback can change its type and always keeps its description. Reading: callback-operations */
export const updateCallback: Operation<'updateCallback'> = ({ path, body }, context) => {
  const find = () => findCallback(path.id, context)
  const url = body.url === undefined ? undefined : checkReceiverUrl(body.url, context)
  const change = (callback: CallbackRegistration): CallbackRegistration => ({
    ...callback,
    url: url ?? callback.url,
    object_type: body.object_type ?? callback.object_type,
    enabled: body.enabled ?? callback.enabled,
  })
  return updateRegistration({ find, change, toReply: wrapCallback }, context)
}

export const deleteCallback: Operation<'deleteCallback'> = ({ path }, context) => {
  const registration = findCallback(path.id, context)
  return reply(200, { callbacks: 'Successfully redacted' }, [{ kind: 'deletion', registration }])
}

function findCallback(id: string, { view }: Pick<Context, 'view'>): CallbackRegistration {
  const registration = view.registration(id)
  if (registration?.generation !== 'callbacks')
    throw new ApiError('not-found', { field: 'id', message: 'not found' })
  return registration
}

function wrapCallback(callback: CallbackRegistration): { readonly callbacks: Callback } {
  return { callbacks: toCallback(callback) }
}

function toCallback({ id, created_at, updated_at, ...rest }: CallbackRegistration): Callback {
  return {
    id,
    description: rest.description,
    url: rest.url,
    object_type: rest.object_type,
    enabled: rest.enabled,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    links: { self: `/callbacks/${id}`, responses: `/callbacks/${id}/responses` },
  }
}

/** Lists one entry per notification. New entries appear immediately. Source: §4. Readings: callback-operations, test-post-listed */
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

/** Returns undefined for damaged data. The payload uses the document's words, because the whole reply is translated later. */
function toCallbackResponse(job: JobRecord, context: Context): CallbackResponse | undefined {
  const sent = shownBody(job, context)
  if (sent === undefined) return undefined
  const last = context.view.attempts(job).at(-1)?.head
  return {
    id: job.id,
    created_at: timestamp(job.created_at),
    url: last?.url ?? job.url,
    payload: context.translator.inward(JSON.parse(sent)),
    // Null until the first attempt has ended. Reading: callback-operations
    response: { error: last === undefined ? null : last.reason === null ? 'OK' : last.message },
    response_code: last?.status ?? null,
  }
}

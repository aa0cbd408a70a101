import type { ObjectType, Webhook } from '../../spec/generated/service-types.ts'
import { isSuccess } from '../../spec/delivery.ts'
import { ApiError, type Problem } from '../http/api-error.ts'
import type { Exchange } from '../ports.ts'
import type { Registration } from '../state/entries.ts'
import { reply, timestamp, type Context, type Operation } from './operation.ts'
import { paginate } from './pages.ts'

/** The registration is created only if the test POST is answered with success. Source: §1, §4 */
export const createWebhook: Operation<'createWebhook'> = ({ body }, context) => {
  const { object_type, enabled = true, description = null } = body
  const url = allowedUrl(body.url, context)
  if (enabled) refuseSecond(object_type, context)

  return {
    kind: 'test-post-first',
    url,
    decide(exchange) {
      refuseFailedTest(url, exchange)
      if (enabled) refuseSecond(object_type, context)
      const now = context.now()
      const registration: Registration = {
        generation: 'webhooks',
        id: context.newId(),
        url,
        object_type,
        enabled,
        description,
        created_at: now,
        updated_at: now,
      }
      return reply(201, shown(registration), [{ kind: 'registration', registration }])
    },
  }
}

export const listWebhooks: Operation<'listWebhooks'> = ({ query }, { view }) => {
  const { page, meta } = paginate(view.registrations('webhooks'), query)
  return reply(200, { webhooks: page.map(shown), links: { self: '/webhooks' }, meta })
}

export const showWebhook: Operation<'showWebhook'> = ({ path }, context) =>
  reply(200, shown(foundWebhook(path.uuid, context)))

/** A changed URL is tested, enabling again is not. Reading: re-test */
export const updateWebhook: Operation<'updateWebhook'> = ({ path, body }, context) => {
  const before = foundWebhook(path.uuid, context)
  const url = body.url === undefined ? before.url : allowedUrl(body.url, context)
  if (body.enabled === true && !before.enabled) refuseSecond(before.object_type, context)

  const change = () => {
    const present = foundWebhook(path.uuid, context)
    const { enabled = present.enabled, description = present.description } = body
    if (enabled && !present.enabled) refuseSecond(present.object_type, context)
    const changed: Registration = { ...present, url, enabled, description }
    if (JSON.stringify(changed) === JSON.stringify(present)) return reply(200, shown(present))
    const registration = { ...changed, updated_at: context.now() }
    return reply(200, shown(registration), [{ kind: 'registration', registration }])
  }
  if (url === before.url) return change()
  return {
    kind: 'test-post-first',
    url,
    decide(exchange) {
      refuseFailedTest(url, exchange)
      return change()
    },
  }
}

export const deleteWebhook: Operation<'deleteWebhook'> = ({ path }, context) => {
  const registration = foundWebhook(path.uuid, context)
  return reply(200, { status: 'Deleted', message: 'Successfully redacted' }, [
    { kind: 'deletion', registration },
  ])
}

export function foundWebhook(id: string, { view }: Pick<Context, 'view'>): Registration {
  const registration = view.registration(id)
  if (registration?.generation !== 'webhooks') throw new ApiError('not-found', 'resource not found')
  return registration
}

function allowedUrl(raw: string, { egress }: Context): string {
  const target = egress.judgeUrl(raw)
  if (target.kind === 'refused')
    throw new ApiError('invalid', { field: 'url', message: target.refusal.message })
  return target.url.href
}

// Only one enabled registration per type. Source: §8. Reading: one-per-generation
function refuseSecond(type: ObjectType, { view }: Context): void {
  const taken = view.enabledRegistration('webhooks', type)
  if (!taken) return
  throw new ApiError('conflict', {
    field: 'object_type',
    message: `webhook "${taken.id}" is already enabled for ${type}; disable, change or delete it first`,
  })
}

// Source: §7
function refuseFailedTest(url: string, { outcome }: Exchange): void {
  if (outcome.kind === 'answered' && isSuccess(outcome.status)) return
  const problem: Problem =
    outcome.kind === 'answered'
      ? {
          field: 'url',
          message: `the test POST to ${url} was answered ${outcome.status}; it must be answered 200 to 299`,
        }
      : { field: 'url', message: `the test POST to ${url} failed (${outcome.reason}): ${outcome.message}` }
  throw new ApiError('invalid', problem)
}

function shown({ generation: _, id, created_at, updated_at, ...rest }: Registration): Webhook {
  return {
    uuid: id,
    description: rest.description,
    url: rest.url,
    http_method: 'post',
    object_type: rest.object_type,
    enabled: rest.enabled,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
    links: { self: `/webhooks/${id}`, jobs: `/webhooks/${id}/jobs` },
  }
}

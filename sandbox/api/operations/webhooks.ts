import type { Webhook } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import type { WebhookRegistration } from '../../engine/state/entries.ts'
import { reply, type Context, type Operation } from './operation.ts'
import { paginate } from './pages.ts'
import { afterTestPost, allowedUrl, refuseSecond, update } from './registrations.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

/** The registration is created only if the test POST is answered with success. Source: §1, §4 */
export const createWebhook: Operation<'createWebhook'> = ({ body }, context) => {
  const { object_type, enabled = true, description = null } = body
  const url = allowedUrl(body.url, context)
  const wanted = { generation: 'webhooks', url, object_type, enabled } as const
  refuseSecond(wanted, context)

  return afterTestPost(wanted, () => {
    refuseSecond(wanted, context)
    const now = context.now()
    const registration: WebhookRegistration = {
      ...wanted,
      id: context.newId(),
      description,
      created_at: now,
      updated_at: now,
    }
    return reply(201, shown(registration), [{ kind: 'registration', registration }])
  })
}

export const listWebhooks: Operation<'listWebhooks'> = ({ query }, { view }) => {
  const { page, meta } = paginate(view.registrations('webhooks'), query)
  return reply(200, { webhooks: page.map(shown), links: { self: '/webhooks' }, meta })
}

export const showWebhook: Operation<'showWebhook'> = ({ path }, context) =>
  reply(200, shown(foundWebhook(path.uuid, context)))

export const updateWebhook: Operation<'updateWebhook'> = ({ path, body }, context) => {
  const present = () => foundWebhook(path.uuid, context)
  const url = body.url === undefined ? undefined : allowedUrl(body.url, context)
  const change = (webhook: WebhookRegistration): WebhookRegistration => ({
    ...webhook,
    url: url ?? webhook.url,
    enabled: body.enabled ?? webhook.enabled,
    description: body.description === undefined ? webhook.description : body.description,
  })
  return update({ present, change, shown }, context)
}

export const deleteWebhook: Operation<'deleteWebhook'> = ({ path }, context) => {
  const registration = foundWebhook(path.uuid, context)
  return reply(200, { status: 'Deleted', message: 'Successfully redacted' }, [
    { kind: 'deletion', registration },
  ])
}

export function foundWebhook(id: string, { view }: Pick<Context, 'view'>): WebhookRegistration {
  const registration = view.registration(id)
  if (registration?.generation !== 'webhooks') throw new ApiError('not-found', 'resource not found')
  return registration
}

function shown({ id, created_at, updated_at, ...rest }: WebhookRegistration): Webhook {
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

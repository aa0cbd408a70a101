import type { Webhook } from '../../../spec/generated/service-types.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { reply, type Context, type Operation } from './operation.ts'
import { checkReceiverUrl, createRegistration, pageByOffset, updateRegistration } from './registrations.ts'
import { recordTimestamp } from '../../engine/core/timestamp.ts'
import type { WebhookRegistration } from '../../engine/state/entries.ts'

export const createWebhook: Operation<'createWebhook'> = ({ body }, context) => {
  const { object_type, enabled = true, description = null } = body
  const url = checkReceiverUrl(body.url, context)
  const wanted = { generation: 'webhooks', url, object_type, enabled, description } as const
  return createRegistration(wanted, (webhook) => toWebhook(webhook, context), context)
}

export const listWebhooks: Operation<'listWebhooks'> = ({ query }, context) => {
  const { page, meta } = pageByOffset(context.view.registrations('webhooks'), query)
  const webhooks = page.map((webhook) => toWebhook(webhook, context))
  return reply(200, { webhooks, links: { self: '/webhooks' }, meta })
}

export const showWebhook: Operation<'showWebhook'> = ({ path }, context) =>
  reply(200, toWebhook(findWebhook(path.uuid, context), context))

export const updateWebhook: Operation<'updateWebhook'> = ({ path, body }, context) => {
  const find = () => findWebhook(path.uuid, context)
  const url = body.url === undefined ? undefined : checkReceiverUrl(body.url, context)
  const change = (webhook: WebhookRegistration): WebhookRegistration => ({
    ...webhook,
    url: url ?? webhook.url,
    enabled: body.enabled ?? webhook.enabled,
    description: body.description === undefined ? webhook.description : body.description,
  })
  return updateRegistration({ find, change, toReply: (webhook) => toWebhook(webhook, context) }, context)
}

export const deleteWebhook: Operation<'deleteWebhook'> = ({ path }, context) => {
  const registration = findWebhook(path.uuid, context)
  return reply(200, { status: 'Deleted', message: 'Successfully redacted' }, [
    { kind: 'deletion', registration },
  ])
}

/** Stores the secret that signs webhooks from now on, unless a reading turns signatures off. Reading: signature */
export const createSecretKey: Operation<'createSecretKey'> = ({ body }, { view, now }) => {
  const { secret_key } = body
  const [present] = view.secrets()
  if (present?.secret === secret_key) throw new ApiError('conflict', 'secret key already exists')
  return reply(201, { status: 'Created', message: 'secret key created successfully' }, [
    { kind: 'secret', secret_key, set_at: now() },
  ])
}

export function findWebhook(id: string, { view }: Pick<Context, 'view'>): WebhookRegistration {
  const registration = view.registration(id)
  if (registration?.generation !== 'webhooks') throw new ApiError('not-found', 'resource not found')
  return registration
}

function toWebhook(
  { id, created_at, updated_at, ...rest }: WebhookRegistration,
  { readings }: Pick<Context, 'readings'>,
): Webhook {
  return {
    uuid: id,
    description: rest.description,
    url: rest.url,
    http_method: 'post',
    object_type: rest.object_type,
    enabled: rest.enabled,
    created_at: recordTimestamp(created_at, readings()),
    updated_at: recordTimestamp(updated_at, readings()),
    links: { self: `/webhooks/${id}`, jobs: `/webhooks/${id}/jobs` },
  }
}

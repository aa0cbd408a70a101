import type {
  CraftedDelivery as ShownDelivery,
  DeliveryRequest,
} from '../../../spec/generated/control-types.ts'
import type { Generation } from '../../../spec/delivery.ts'
import { toOtherExchange } from '../../engine/delivery/exchange-record.ts'
import { messageFromDraft } from '../../engine/delivery/message.ts'
import { ApiError } from '../../engine/core/api-error.ts'
import { performInEpoch, reply } from '../operations/operation.ts'
import { allowedUrl } from '../operations/registrations.ts'
import type { Exchange, Message } from '../../engine/core/ports.ts'
import type { OtherExchange, Registration } from '../../engine/state/entries.ts'
import type { CraftedRecord } from '../../engine/state/view.ts'
import { pairs, shownExchange, textOf } from './exchanges.ts'
import type { ControlContext, ControlOperation } from './operation.ts'
import { numberOfCursor } from './page.ts'
import { bytesOf, checkedHeaders, checkedSource } from './read-delivery.ts'
import { timestamp } from '../../engine/core/timestamp.ts'

export const craftDelivery: ControlOperation<'craftDelivery'> = ({ body: asked }, context) => {
  const registration = registrationOf(asked, context)
  const url = registration?.url ?? allowedUrl(asked.url ?? '', context)
  const generation = registration?.generation ?? 'webhooks'
  if (asked.signed === true) refuseUnsignable(generation, context)
  const message = messageFromDraft(
    {
      url,
      body: bytesOf(asked),
      generation,
      headers: checkedHeaders(asked.headers ?? {}),
      sourceAddress: checkedSource(asked.source_address, context),
      signed: asked.signed ?? false,
    },
    { ...context, realTime: { now: context.realNow } },
  )
  return performInEpoch(
    (actions) => actions.deliver(message, asked.times ?? 1),
    (exchanges) => {
      const about = { id: context.newId(), url, registration_id: registration?.id ?? null }
      const crafted = { ...about, ...sentOf(message), exchanges: exchanges.map(keptOf) }
      return reply(201, shown({ at: context.now(), crafted }), [{ kind: 'crafted', crafted }])
    },
  )
}

export const listDeliveries: ControlOperation<'listDeliveries'> = ({ query }, { view }) => {
  const { limit, cursor } = query
  const count = view.craftedCount()
  const older = cursor === undefined ? Math.max(0, count - limit) : Math.min(count, numberOfCursor(cursor))
  const deliveries = view.craftedBetween(older, older + limit).map(shown)
  return reply(200, { deliveries, older, next_cursor: older + limit < count ? String(older + limit) : null })
}

export const getDelivery: ControlOperation<'getDelivery'> = ({ path }, { view }) => {
  const record = view.crafted(path.id)
  if (record) return reply(200, shown(record))
  const hint = 'list them with "npx hookbench deliveries"'
  throw new ApiError('not-found', { field: 'id', message: `Cannot find delivery "${path.id}"`, hint })
}

/** Throws if it is not there, or if not exactly one of a URL and a registration is given. */
function registrationOf(
  { url, registration }: DeliveryRequest,
  { view }: ControlContext,
): Registration | undefined {
  if ((url === undefined) === (registration === undefined)) {
    const message = 'Cannot deliver: give one of "url" and "registration"'
    throw new ApiError('invalid', { field: 'url', message })
  }
  if (registration === undefined) return undefined
  const found = view.registration(registration)
  if (found) return found
  const hint = 'list them with "npx hookbench registrations"'
  throw new ApiError('not-found', {
    field: 'registration',
    message: `Cannot find registration "${registration}"`,
    hint,
  })
}

/** What was asked to be signed never goes out unsigned. Reading: signature */
function refuseUnsignable(generation: Generation, { readings, view }: ControlContext): void {
  const refuse = (state: string, hint: string) => {
    const message = `Cannot sign the delivery: ${state}`
    throw new ApiError('invalid', { field: 'signed', message, hint })
  }
  if (generation === 'callbacks') refuse('callbacks are never signed', 'deliver to a webhook')
  if (readings().signature === 'off')
    refuse('the reading signature is off', 'choose it with "npx hookbench readings set signature hmac"')
  if (view.secrets().length === 0)
    refuse('no secret is set', 'set one with POST /webhooks/secret_key of the service API')
}

function sentOf({ headers, body }: Message) {
  return {
    request_headers: Object.entries(headers),
    request_body: Buffer.from(body).toString('base64'),
  }
}

/** As it is kept: what it was answered, without a verdict on it. */
function keptOf(exchange: Exchange): OtherExchange {
  const { outcome } = exchange
  const kept = toOtherExchange(exchange)
  return outcome.kind === 'answered' ? { ...kept, message: `Answered ${outcome.status}` } : kept
}

function shown({ at, crafted }: CraftedRecord): ShownDelivery {
  const { id, url, registration_id, request_headers, request_body, exchanges } = crafted
  return {
    id,
    crafted: true,
    at: timestamp(at),
    url,
    registration_id,
    request: {
      headers: pairs(request_headers),
      body: textOf(request_body),
      body_base64: request_body,
    },
    exchanges: exchanges.map(shownExchange),
  }
}

import type { CraftedDelivery, DeliveryRequest } from '../../../spec/generated/control-types.ts'
import type { Generation } from '../../../spec/delivery.ts'
import { toOtherExchange } from '../../engine/delivery/exchange-record.ts'
import { messageFromDraft } from '../../engine/delivery/message.ts'
import { ApiError, notFoundError, type Problem, refuseField } from '../../engine/core/api-error.ts'
import { performInEpoch, reply } from '../operations/operation.ts'
import { checkReceiverUrl } from '../operations/registrations.ts'
import type { Exchange } from '../../engine/core/ports.ts'
import type { CraftedRecord } from '../../engine/state/queries/crafted.ts'
import { toHeaderPairs, toExchangeDetail, decodeText } from './exchanges.ts'
import { readPastOrPresent } from './look-back.ts'
import type { ControlContext, ControlOperation } from './operation.ts'
import { placeOfPage } from './cursor-pages.ts'
import { findRegistration } from './registrations.ts'
import { completeId, searchIds } from './short-ids.ts'
import { timestamp } from '../../engine/core/timestamp.ts'
import type { Registration, OtherExchange } from '../../engine/state/entries.ts'

export const craftDelivery: ControlOperation<'craftDelivery'> = ({ body: asked }, context) => {
  const registration = findTarget(asked, context)
  const url = registration?.url ?? checkReceiverUrl(asked.url ?? '', context)
  const generation = registration?.generation ?? 'webhooks'
  if (asked.signed === true) refuseUnsignable(generation, context)
  const draft = {
    url,
    body: readBytes(asked),
    generation,
    headers: checkHeaders(asked.headers ?? {}),
    sourceAddress: checkSource(asked.source_address, context),
    signed: asked.signed ?? false,
  }
  const message = messageFromDraft(draft, { ...context, realTime: { now: context.realNow } })
  return performInEpoch(
    (actions) => actions.deliver(message, asked.times ?? 1),
    (exchanges) => {
      const crafted = {
        id: context.newId(),
        url: message.url,
        registration_id: registration?.id ?? null,
        request_headers: Object.entries(message.headers),
        request_body: Buffer.from(message.body).toString('base64'),
        exchanges: exchanges.map(toStoredExchange),
      }
      return reply(201, toCraftedDelivery({ at: context.now(), crafted }), [{ kind: 'crafted', crafted }])
    },
  )
}

export const listDeliveries: ControlOperation<'listDeliveries'> = readPastOrPresent(({ query }, { view }) => {
  const { older, end, next_cursor } = placeOfPage(view.craftedCount(), query)
  const deliveries = view.craftedBetween(older, end).map(toCraftedDelivery)
  return reply(200, { deliveries, older, next_cursor })
})

export const getDelivery: ControlOperation<'getDelivery'> = readPastOrPresent(({ path }, { view }) => {
  const all = () => view.craftedBetween(0, view.craftedCount()).map(({ crafted }) => crafted)
  const record = view.crafted(path.id) ?? view.crafted(completeId(path.id, searchIds(all())))
  if (record) return reply(200, toCraftedDelivery(record))
  throw notFoundError('delivery', path.id, 'deliveries')
})

function findTarget(
  { url, registration }: DeliveryRequest,
  { view }: ControlContext,
): Registration | undefined {
  if ((url === undefined) === (registration === undefined)) {
    refuseField('url', 'Cannot deliver: give one of "url" and "registration"')
  }
  if (registration === undefined) return undefined
  return findRegistration(registration, view, 'registration')
}

function readBytes({ body, raw, raw_encoding = 'utf8' }: DeliveryRequest): Uint8Array {
  if ((body === undefined) === (raw === undefined))
    refuseField('body', 'Cannot deliver: give one of "body" and "raw"')
  if (raw === undefined) return Buffer.from(JSON.stringify(body))
  const isBase64 = raw.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(raw)
  if (raw_encoding === 'base64' && !isBase64)
    refuseField(
      'raw',
      'Cannot deliver "raw": the text is not base64. Omit "raw_encoding" to send the text unchanged',
    )
  return Buffer.from(raw, raw_encoding)
}

const CONNECTION_HEADERS =
  /^(host|connection|keep-alive|proxy-connection|content-length|transfer-encoding|te|trailer|upgrade|expect)$/i

function checkHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    const field = `headers/${name}`
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
      refuseField(field, `Cannot send header "${name}": the name is not a valid header name`)
    if (CONNECTION_HEADERS.test(name))
      refuseField(field, `Cannot send header "${name}": the sandbox sets the headers of the connection`)
    if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value))
      refuseField(
        field,
        `Cannot send header "${name}": the value has characters that a header cannot contain`,
      )
  }
  return headers
}

function checkSource(address: string | undefined, { source }: Pick<ControlContext, 'source'>) {
  if (address === undefined) return undefined
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address)?.slice(1) ?? []
  if (parts.length !== 4 || parts.some((part) => Number(part) > 255))
    refuseField(
      'source_address',
      `Cannot deliver from "${address}": the value must be an IPv4 address such as 13.236.213.54`,
    )
  if (source) return address
  return refuseField(
    'source_address',
    `Cannot deliver from "${address}": this sandbox has no source addresses. Start the sandbox with --source-addresses`,
  )
}

/** Throws ApiError if the requested signature cannot be created. Reading: signature */
function refuseUnsignable(generation: Generation, { readings, view }: ControlContext): void {
  const refuseToSign = (state: string, remedy: Pick<Problem, 'hint' | 'command'>) => {
    throw new ApiError('invalid', {
      field: 'signed',
      message: `Cannot sign the delivery: ${state}`,
      ...remedy,
    })
  }
  if (generation === 'callbacks') refuseToSign('callbacks are never signed', { hint: 'deliver to a webhook' })
  if (readings().signature === 'off') {
    const remedy = { hint: 'choose the option hmac', command: 'readings set signature hmac' }
    refuseToSign('the reading signature is off', remedy)
  }
  if (view.secrets().length === 0) {
    refuseToSign('no secret is set', { hint: 'set one with POST /webhooks/secret_key of the service API' })
  }
}

function toStoredExchange(exchange: Exchange): OtherExchange {
  const { outcome } = exchange
  const kept = toOtherExchange(exchange)
  return outcome.kind === 'answered' ? { ...kept, message: `Answered ${outcome.status}` } : kept
}

function toCraftedDelivery({ at, crafted }: CraftedRecord): CraftedDelivery {
  const { id, url, registration_id, request_headers, request_body, exchanges } = crafted
  return {
    id,
    crafted: true,
    at: timestamp(at),
    url,
    registration_id,
    request: {
      headers: toHeaderPairs(request_headers),
      body: decodeText(request_body),
      body_base64: request_body,
    },
    exchanges: exchanges.map((exchange) => toExchangeDetail(exchange, request_headers)),
  }
}

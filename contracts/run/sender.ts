import { sendingAddresses } from '../../spec/delivery.ts'
import type { CraftedDelivery, DeliveryRequest } from '../../spec/generated/control-types.ts'
import type {
  CheckContext,
  Notice,
  PostRequest,
  ReceiverUrls,
  SendOptions,
} from '../toolkit/check-context.ts'
import { isAccepted } from '../toolkit/judge.ts'
import type { ReceiverOptions } from '../toolkit/options.ts'
import type { Sent } from '../toolkit/sent.ts'
import type { Service } from './service.ts'
import type { Activity } from './activity.ts'
import type { Record } from './record.ts'

export interface SenderPorts {
  readonly service: Service
  readonly receiver: Pick<ReceiverOptions, 'headers' | 'source'>
  readonly urls: ReceiverUrls
  readonly record: Record
  readonly activity: Pick<Activity, 'sending'>
}

/** How often a delivery that is refused comes again in a check: as often as the service tries within its window. */
const MOST_ATTEMPTS = 5

/** Sends as the service does, by the way of its own deliveries. */
export function createSender(ports: SenderPorts): Pick<CheckContext, 'send' | 'post' | 'sendUntilAccepted'> {
  const { service, receiver, urls, record, activity } = ports

  async function post({ url, body, label, ...options }: PostRequest): Promise<Sent> {
    const { headers, generation = 'webhooks' } = options
    // Callbacks leave from addresses of their own. Source: §5
    const [first] = generation === 'callbacks' ? sendingAddresses(generation, service.readings) : []
    const sourceAddress = options.sourceAddress ?? first
    const request: DeliveryRequest = {
      url,
      ...(typeof body === 'string'
        ? { raw: body }
        : { raw: Buffer.from(body).toString('base64'), raw_encoding: 'base64' as const }),
      headers: { ...receiver.headers, ...headers },
      ...(sourceAddress !== undefined && receiver.source && { source_address: sourceAddress }),
      // Callbacks never are. Reading: signature
      signed: service.readings.signature === 'hmac' && generation !== 'callbacks',
    }
    const sent = await sentBy(label, request, service)
    record.add({ kind: 'sent', sent })
    return sent
  }

  async function send(notice: Notice, options: SendOptions = {}): Promise<Sent> {
    const { generation = 'webhooks', label = notice.label } = options
    const url = urls.url(notice.type, generation)
    const accepted = await activity.sending(notice)
    const sent = await post({ ...options, url, body: notice.body, label })
    if (isAccepted(sent)) accepted()
    return sent
  }

  return {
    post,
    send,
    async sendUntilAccepted(notice, options) {
      let sent = await send(notice, options)
      for (let attempt = 2; attempt <= MOST_ATTEMPTS && !isAccepted(sent); attempt++) {
        sent = await send(notice, {
          ...options,
          label: `${options?.label ?? notice.label}, attempt ${attempt}`,
        })
      }
      return sent
    },
  }
}

/** What the service would never call is not reached, and says why. */
async function sentBy(label: string, request: DeliveryRequest, { perform }: Service): Promise<Sent> {
  try {
    return sentOf(label, await perform('craftDelivery', { path: {}, query: {}, body: request }))
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { url = '', raw = '', headers = {} } = request
    return {
      label,
      request: { method: 'POST', url, headers: Object.entries(headers), body: raw },
      status: null,
      reason: 'refused_url',
      message: error.message,
      flags: [],
      tookMs: 0,
      response: null,
    }
  }
}

/** The bench refuses in two ways, in this process and from another one. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'ApiError' || error.name === 'RefusedError')
}

function sentOf(label: string, { url, request, exchanges: [exchange] }: CraftedDelivery): Sent {
  if (!exchange) throw new RangeError(`Cannot tell how "${label}" went: it was not sent`)
  const { status, reason, message, flags, timings, response } = exchange
  return {
    label,
    request: {
      method: 'POST',
      url,
      headers: request.headers,
      body: request.body,
    },
    status,
    reason,
    message,
    flags,
    tookMs: timings.answered_ms ?? timings.total_ms,
    response,
  }
}

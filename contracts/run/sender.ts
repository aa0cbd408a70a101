import { unansweredExchange, type Exchange, type ObjectRef } from '../finding.ts'
import type { Activity } from './activity.ts'
import type { ExchangeLog } from './run-result.ts'
import type { Service } from './service.ts'
import type { Sign } from './signing.ts'
import { notSent, type Silence } from './silence.ts'
import type {
  CheckContext,
  Message,
  PostRequest,
  ReceiverUrls,
  SendOptions,
  CallWatch,
  RawRequest,
} from '../toolkit/check-context.ts'
import { describeExchange, isAccepted, isSentTwice } from '../toolkit/expectations.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { ApiError, RefusedError, leaveFrom } from '../../sandbox/internal.ts'
import { sendingAddresses } from '../../spec/delivery.ts'
import type { CraftedDelivery, DeliveryRequest } from '../../spec/generated/control-types.ts'
import type { OddRequest } from '../probes/raw-request.ts'

interface SendingPorts {
  readonly options: Pick<RunOptions, 'receiver'>
  readonly log: ExchangeLog
  readonly activity: Pick<Activity, 'sending'>
  readonly sign: Sign
}

export interface SenderPorts extends SendingPorts {
  readonly service: Service
  readonly urls: ReceiverUrls
  readonly onAccepted: (target: ObjectRef) => void
  readonly silence: Silence
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
}

/** The number of attempts for a rejected delivery, the same as in the service's retry window. */
const MAX_ATTEMPTS = 5

/** Creates the functions that send notifications. The functions use the same delivery code as the sandbox. */
export function createSender(ports: SenderPorts): Pick<CheckContext, 'send' | 'post' | 'sendUntilAccepted'> {
  const { service, urls, log, activity, onAccepted, inTurn, silence } = ports

  async function post({ label, about, role, ...request }: PostRequest, isUsual = false): Promise<Exchange> {
    const { beganAt, delivered } = await inTurn(async () => {
      const why = silence.reason(about?.type)
      const delivery = toDelivery(request, ports)
      return {
        beganAt: log.now(),
        delivered:
          why === undefined ? await deliver(label, delivery, service) : notSent({ ...request, label }, why),
      }
    })
    const exchange: Exchange = {
      ...delivered,
      ...(about && { about: { type: about.type, id: about.id } }),
      ...(role && { role }),
      ...(isUsual && { isUsual }),
    }
    log.add({ kind: 'sent', exchange }, beganAt)
    silence.note(exchange)
    // Logs the second delivery, because a repeated effect would otherwise seem to follow a single delivery.
    if (isSentTwice(exchange))
      log.add({ kind: 'world', text: describeExchange(exchange), about: about ? [about] : [] })
    return exchange
  }

  async function send(message: Message, options: SendOptions = {}): Promise<Exchange> {
    const { generation = 'webhooks', label = message.label } = options
    const url = urls.url(message.type, generation)
    const accepted = await activity.sending(message)
    const isUsual = message.body === message.usualBody && isPlain(options)
    const sent = await post({ ...options, url, body: message.body, label, about: message }, isUsual)
    if (isAccepted(sent)) {
      onAccepted(message)
      accepted()
    }
    return sent
  }

  return {
    post: (request) => post(request),
    send,
    async sendUntilAccepted(message, options) {
      let sent = await send(message, options)
      for (let attempt = 2; attempt <= MAX_ATTEMPTS && !isAccepted(sent); attempt++) {
        const label = `${options?.label ?? message.label}, attempt ${attempt}`
        sent = await send(message, { ...options, label })
      }
      return sent
    },
  }
}

function isPlain({ headers, sourceAddress, signature }: SendOptions): boolean {
  return headers === undefined && sourceAddress === undefined && signature === undefined
}

function toDelivery(
  { url, body, headers, signature, generation = 'webhooks', ...from }: Omit<PostRequest, 'label'>,
  ports: SenderPorts,
): DeliveryRequest {
  const { service, sign } = ports
  const { receiver } = ports.options
  // Callbacks and webhooks come from different source addresses. Source: §5
  const [first] = generation === 'callbacks' ? sendingAddresses(generation, service.readings) : []
  const sourceAddress = from.sourceAddress ?? first
  // Callbacks are never signed. Reading: signature
  const isSigned = signature === undefined ? generation === 'webhooks' : signature !== null
  return {
    url,
    ...(typeof body === 'string'
      ? { raw: body }
      : { raw: Buffer.from(body).toString('base64'), raw_encoding: 'base64' as const }),
    headers: {
      ...receiver.headers,
      ...(isSigned && sign({ url, body }, signature ?? undefined)),
      ...headers,
    },
    ...(sourceAddress !== undefined && receiver.source && { source_address: sourceAddress }),
    // The run signs deliveries itself, because the service would give two deliveries in the same second the same signature.
    signed: false,
  }
}

/** Returns an exchange without a response if the service rejects the URL. */
async function deliver(label: string, request: DeliveryRequest, { perform }: Service): Promise<Exchange> {
  try {
    return toExchange(label, await perform('craftDelivery', { body: request }))
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { url = '', raw = '', headers = {} } = request
    const { message } = error
    const posted = { url, headers: Object.entries(headers), body: raw }
    return unansweredExchange(label, posted, { reason: 'refused_url', message })
  }
}

/** Returns true for a rejection by the control API of a sandbox in this process or in another process. */
function isRefusal(error: unknown): error is ApiError | RefusedError {
  return error instanceof ApiError || error instanceof RefusedError
}

function toExchange(label: string, { url, request, exchanges: [exchange] }: CraftedDelivery): Exchange {
  if (!exchange) throw new RangeError(`Cannot read the result of "${label}": the request was not sent`)
  const { status, reason, message, flags, timings, response } = exchange
  return {
    label,
    request: { method: 'POST', url, headers: request.headers, body: request.body },
    status,
    reason,
    message,
    flags,
    tookMs: timings.answered_ms ?? timings.total_ms,
    response,
  }
}

export interface OddRequestPorts extends SendingPorts {
  readonly service: Pick<Service, 'readings'>
  readonly calls: Pick<CallWatch, 'observable' | 'settle'>
  readonly odd: (request: OddRequest) => Promise<Exchange>
  readonly pause: (ms: number) => Promise<unknown>
  readonly silence: Pick<Silence, 'reason'>
}

/** The time until the sender closes the connection, in milliseconds. Most receivers are still working at this time. */
const HANG_UP_MS = 120

/** Creates the function that sends unusual requests with the usual source address and the usual signature. */
export function createOddRequests(ports: OddRequestPorts): CheckContext['request'] {
  const { options, log, calls, activity, odd, pause, sign, silence } = ports
  const hangUpWhen = ({ hangUpOnCallFor: target }: RawRequest) =>
    target && (() => (calls.observable ? calls.settle(target) : pause(HANG_UP_MS)))
  return async (request) => {
    const why = silence.reason(request.about?.type)
    if (why !== undefined) return notSent(request, why)
    const { url, body = '' } = request
    const placed = placeRequest(request, ports)
    const named = {
      ...placed.headers,
      ...options.receiver.headers,
      ...sign({ url, body }),
      ...request.headers,
    }
    const headers = request.hasCapitalHeaders ? withCapitals(named) : named
    const { about } = request
    const accepted = about && isNotification(request) ? await activity.sending({ ...about, body }) : () => {}
    const beganAt = log.now()
    const timeoutMs = isNotification(request) ? ports.service.readings['delivery-deadline'] : undefined
    const { from } = placed
    const sent = await odd({ ...request, headers, from, timeoutMs, hangUpWhen: hangUpWhen(request) })
    if (isAccepted(sent)) accepted()
    log.add({ kind: 'sent', exchange: sent }, beganAt)
    return sent
  }
}

const withCapitals = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))

/** Returns true for a notification, even in an unusual form. Such a request may take as long as a delivery. */
const isNotification = ({ method, about }: RawRequest) => method === 'POST' && about !== undefined

/** Returns the source address and headers. The address defaults to a documented address. Source: §5 */
export function placeRequest(
  { url, sourceAddress }: Pick<RawRequest, 'url' | 'sourceAddress'>,
  { options, service }: Pick<OddRequestPorts, 'options' | 'service'>,
) {
  const { source } = options.receiver
  const address = sourceAddress ?? sendingAddresses('webhooks', service.readings)[0]
  if (!source || address === undefined) return { from: undefined, headers: {} }
  const placed = leaveFrom({ url, headers: {}, body: new Uint8Array() }, address, source)
  return { from: placed.sourceAddress, headers: placed.headers }
}

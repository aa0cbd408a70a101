import type { Exchange } from '../finding.ts'
import type { OddRequest } from '../probes/raw-request.ts'
import type { Activity } from './activity.ts'
import type { ExchangeLog } from './run-result.ts'
import type { Service } from './service.ts'
import type { Sign } from './signing.ts'
import { notSent, type Silence } from './silence.ts'
import type { CallWatch, CheckContext, RawRequest } from '../toolkit/check-context.ts'
import { isAccepted } from '../toolkit/expectations.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { leaveFrom } from '../../sandbox/internal.ts'
import { sendingAddresses } from '../../spec/delivery.ts'

export interface OddRequestPorts {
  readonly options: Pick<RunOptions, 'receiver'>
  readonly service: Pick<Service, 'readings'>
  readonly log: ExchangeLog
  readonly calls: Pick<CallWatch, 'observable' | 'settle'>
  readonly activity: Pick<Activity, 'sending'>
  readonly odd: (request: OddRequest) => Promise<Exchange>
  readonly pause: (ms: number) => Promise<unknown>
  readonly sign: Sign
  readonly silence: Pick<Silence, 'reason'>
}

/** Long enough for a request to arrive, too short for most of its work. */
const HANG_UP_MS = 120

/**
 * Sends unusual requests from the documented addresses with a valid signature. Only the intended part is
 * unusual.
 */
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
    const accepted = await announce(request, activity)
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

/** A notification in any form may take the full time. */
const isNotification = ({ method, about }: RawRequest) => method === 'POST' && about !== undefined

async function announce(request: RawRequest, activity: Pick<Activity, 'sending'>): Promise<() => void> {
  const { about, body = '' } = request
  return about && isNotification(request) ? activity.sending({ ...about, body }) : () => {}
}

interface Place {
  /** The local address to send from. Any address if undefined. */
  readonly from: string | undefined
  /** The headers that name the source address. */
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the source address of a request. Defaults to a documented webhook address. Source: §5 */
export function placeRequest(
  { url, sourceAddress }: Pick<RawRequest, 'url' | 'sourceAddress'>,
  { options, service }: Pick<OddRequestPorts, 'options' | 'service'>,
): Place {
  const { source } = options.receiver
  const address = sourceAddress ?? sendingAddresses('webhooks', service.readings)[0]
  if (!source || address === undefined) return { from: undefined, headers: {} }
  const placed = leaveFrom({ url, headers: {}, body: new Uint8Array() }, address, source)
  return { from: placed.sourceAddress, headers: placed.headers }
}

import type { LoadMessage } from './books.ts'
import type { LoadResponse } from './measurements.ts'
import type { LoadContent } from './shares.ts'
import type { RunOptions } from '../toolkit/options.ts'
import { serviceMessage, type Transport } from '../../sandbox/internal.ts'
import type { ReadingValues } from '../../spec/readings.ts'

export interface LoadSenderOptions extends Pick<LoadContent, 'generation' | 'urls'> {
  readonly options: Pick<RunOptions, 'secret'> & {
    readonly receiver: Pick<RunOptions['receiver'], 'headers' | 'source'>
  }
  readonly service: { readonly readings: ReadingValues }
  /** Returns the time in ISO 8601. */
  readonly now: () => string
}

/** Sends a notification as the service does. The promise never rejects. */
export type LoadSender = (message: LoadMessage) => Promise<LoadResponse>

export function createLoadSender(sending: LoadSenderOptions, transport: Transport): LoadSender {
  const { generation, urls, options, service } = sending
  const { receiver, secret } = options
  const { readings } = service
  const { source } = receiver
  const now = () => Date.parse(sending.now())
  // Configured header names become lower case, so that they replace the lower-case headers of the service.
  const own = Object.fromEntries(
    Object.entries(receiver.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const secrets = secret === undefined ? [] : [{ secret, set_at: now() }]
  const ports = {
    clock: { now },
    realTime: { now },
    view: { secrets: () => secrets },
    readings: () => readings,
    ...(source && { source }),
  }
  const deadlineMs = readings['delivery-deadline']
  let turn = 0
  return async ({ type, body }) => {
    const url = urls.url(type, generation)
    const message = serviceMessage({ url, body, generation, turn: turn++ }, ports)
    const { outcome } = await transport.post(
      { ...message, headers: { ...message.headers, ...own } },
      deadlineMs,
    )
    return outcome.kind === 'answered'
      ? { kind: 'status', status: outcome.status }
      : { kind: 'reason', reason: outcome.reason }
  }
}

import type { LoadMessage } from './books.ts'
import type { LoadResponse } from './measurements.ts'
import type { ReceiverUrls } from '../toolkit/check-context.ts'
import type { ReceiverOptions } from '../toolkit/options.ts'
import { serviceMessage, type Transport } from '../../sandbox/internal.ts'
import type { Generation } from '../../spec/delivery.ts'
import type { ReadingValues } from '../../spec/readings.ts'

export interface LoadSenderOptions {
  readonly generation: Generation
  readonly urls: ReceiverUrls
  readonly receiver: Pick<ReceiverOptions, 'headers' | 'source'>
  /** The secret that signs the webhooks. Undefined if webhooks are not signed. */
  readonly secret: string | undefined
  readonly readings: ReadingValues
  /** Returns the time in milliseconds since the Unix epoch. */
  readonly now: () => number
}

/** Sends a notification as the service does. The promise never rejects. */
export type LoadSender = (message: LoadMessage) => Promise<LoadResponse>

export function createLoadSender(options: LoadSenderOptions, transport: Transport): LoadSender {
  const { generation, urls, receiver, secret, readings, now } = options
  const { source } = receiver
  // The header names of the service are in lower case. Configured names are converted to lower case, so that they can replace
  // these headers.
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

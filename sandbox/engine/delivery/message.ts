import { DELIVERY } from '../../../spec/generated/delivery.ts'
import type { Generation } from '../../../spec/delivery.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { SIGNATURE_HEADER } from '../../../spec/signature-header.ts'
import { signatureHeader } from '../../../spec/signature.ts'
import type { Clock, Message, RealTime } from '../core/ports.ts'
import type { View } from '../state/view.ts'
import { findUrlFault } from './egress.ts'
import { leaveFrom, leaveFromDocumentedAddress, type SourceAddresses } from './source-addresses.ts'

/** Marks the sandbox's own POSTs, so that its listeners can refuse them. Reading: delivery-headers */
export const USER_AGENT = 'Hookbench-Delivery/0.1'

/** How long a replaced secret goes on signing, in sandbox time, so that a receiver can change over without a gap. */
const OVERLAP_MS = 24 * 3_600_000

export interface MessagePorts {
  readonly clock: Pick<Clock, 'now'>
  readonly realTime: Pick<RealTime, 'now'>
  readonly view: Pick<View, 'secrets'>
  readonly readings: () => ReadingValues
  readonly source?: SourceAddresses | undefined
}

export interface ServiceMessage {
  readonly url: string
  readonly body: string
  readonly generation: Generation
  /** Which of the documented addresses it leaves from: they take turns. */
  readonly turn: number
}

/** A message as the service sends it, a test POST as well as a notification. Source: §5, §6.1 */
export function serviceMessage(
  { url, body, generation, turn }: ServiceMessage,
  ports: MessagePorts,
): Message {
  const message = sign(post(url, Buffer.from(body)), generation, ports)
  return leaveFromDocumentedAddress(message, { generation, turn }, ports)
}

/** A delivery by hand, outside the service's own behaviour. */
export interface DeliveryDraft {
  readonly url: string
  readonly body: Uint8Array
  readonly generation: Generation
  /** They replace those of the service, in any case of their names, or come in addition. */
  readonly headers: Readonly<Record<string, string>>
  /** One of the documented ones if left out. */
  readonly sourceAddress?: string | undefined
  readonly signed: boolean
}

export function messageFromDraft(draft: DeliveryDraft, ports: MessagePorts): Message {
  const { url, body, generation, sourceAddress } = draft
  const { source } = ports
  const plain = post(url, body)
  const message = draft.signed ? sign(plain, generation, ports) : plain
  const placed =
    sourceAddress !== undefined && source
      ? leaveFrom(message, sourceAddress, source)
      : leaveFromDocumentedAddress(message, { generation, turn: 0 }, ports)
  return { ...placed, headers: mergeHeaders(placed.headers, draft.headers) }
}

/** Goes to the normalised form of the URL. A faulty URL stays as it is: the parser would repair it, and the transport refuses it. */
function post(url: string, body: Uint8Array): Message {
  return {
    url: findUrlFault(url) ? url : new URL(url).href,
    headers: { 'content-type': DELIVERY.content_type.value, 'user-agent': USER_AGENT },
    body,
  }
}

/**
 * A webhook is signed with the newest secret and with the one before while that is still active; a callback never is.
 * Reading: signature, clocks
 */
function sign(message: Message, generation: Generation, ports: MessagePorts): Message {
  const { view, readings, clock, realTime } = ports
  if (readings().signature === 'off' || generation === 'callbacks') return message
  const [newest, previous] = view.secrets()
  if (!newest) return message
  const active = previous && clock.now() < newest.set_at + OVERLAP_MS ? [newest, previous] : [newest]
  const value = signatureHeader(
    active.map(({ secret }) => secret),
    Math.floor(realTime.now() / 1_000),
    message.body,
  )
  return { ...message, headers: { ...message.headers, [SIGNATURE_HEADER]: value } }
}

function mergeHeaders(
  service: Message['headers'],
  added: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const replaced = new Set(Object.keys(added).map((name) => name.toLowerCase()))
  const kept = Object.entries(service).filter(([name]) => !replaced.has(name.toLowerCase()))
  return { ...Object.fromEntries(kept), ...added }
}

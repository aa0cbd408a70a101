import { DELIVERY } from '../../../spec/generated/delivery.ts'
import { sendingAddresses, type Generation } from '../../../spec/delivery.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import { SIGNATURE_HEADER } from '../../../spec/signature-header.ts'
import { signatureHeader } from '../../../spec/signature.ts'
import type { Clock, HttpMessage, RealTime } from '../core/ports.ts'
import type { View } from '../state/view.ts'
import { parseUrl } from './egress.ts'

/** The user agent of the sandbox's own POSTs, by which its listeners reject them. Reading: delivery-headers */
export const USER_AGENT = 'Hookbench-Delivery/0.1'

/** The overlap in which both secrets sign, in milliseconds of sandbox time. Receivers can rotate the secret without downtime. */
const OVERLAP_MS = 24 * 3_600_000

/**
 * The ways to show the documented sending address. `loopback`: as a derived loopback address. `header`: in a header that the
 * receiver trusts.
 */
export type SourceAddresses =
  { readonly kind: 'loopback' } | { readonly kind: 'header'; readonly name: string }

interface MessagePorts {
  readonly clock: Pick<Clock, 'now'>
  readonly realTime: Pick<RealTime, 'now'>
  readonly view: Pick<View, 'secrets'>
  readonly readings: () => ReadingValues
  readonly source?: SourceAddresses | undefined
}

interface ServiceMessage {
  readonly url: string
  readonly body: string
  readonly generation: Generation
  /** The number of the message, which selects one of the documented sending addresses. */
  readonly turn: number
}

/** Creates a test POST or a notification as the service sends it. Source: §5, §6.1 */
export function serviceMessage(
  { url, body, generation, turn }: ServiceMessage,
  ports: MessagePorts,
): HttpMessage {
  const message = sign(post(url, Buffer.from(body)), generation, ports)
  return leaveFrom(message, documentedAddress(generation, turn, ports), ports.source)
}

export interface DeliveryDraft {
  readonly url: string
  readonly body: Uint8Array
  readonly generation: Generation
  /** Additional headers of the message. An additional header replaces a header with the same name, ignoring case. */
  readonly headers: Readonly<Record<string, string>>
  /** The sending address. Defaults to a documented address. */
  readonly sourceAddress?: string | undefined
  readonly signed: boolean
}

export function messageFromDraft(draft: DeliveryDraft, ports: MessagePorts): HttpMessage {
  const { url, body, generation, sourceAddress } = draft
  const plain = post(url, body)
  const message = draft.signed ? sign(plain, generation, ports) : plain
  const placed = leaveFrom(message, sourceAddress ?? documentedAddress(generation, 0, ports), ports.source)
  return { ...placed, headers: mergeHeaders(placed.headers, draft.headers) }
}

/** Returns one of the documented sending addresses. `turn` rotates through the addresses. Source: §5 */
function documentedAddress(
  generation: Generation,
  turn: number,
  { readings }: MessagePorts,
): string | undefined {
  const addresses = sendingAddresses(generation, readings())
  return addresses[turn % addresses.length]
}

export function leaveFrom(
  message: HttpMessage,
  address: string | undefined,
  source: SourceAddresses | undefined,
): HttpMessage {
  if (!source || address === undefined) return message
  // On Linux, every 127.0.0.0/8 address is local. For example, 13.236.213.54 becomes 127.236.213.54.
  if (source.kind === 'loopback') return { ...message, sourceAddress: address.replace(/^\d+/, '127') }
  return { ...message, headers: { ...message.headers, [source.name.toLowerCase()]: address } }
}

/** A cache of the last URL and its normalised form, because consecutive notifications often have the same URL. */
let lastUrl = { url: '', normalised: '' }

function normalise(url: string): string {
  if (lastUrl.url === url) return lastUrl.normalised
  const parsed = parseUrl(url)
  lastUrl = { url, normalised: 'code' in parsed ? url : parsed.href }
  return lastUrl.normalised
}

/** Creates a POST to the normalised URL. An invalid URL stays unchanged, and the transport rejects the message. */
function post(url: string, body: Uint8Array): HttpMessage {
  return {
    url: normalise(url),
    headers: { 'content-type': DELIVERY.content_type.value, 'user-agent': USER_AGENT },
    body,
  }
}

/**
 * Signs a webhook. After a change of the secret, also signs with the previous secret for `OVERLAP_MS`. Callbacks are unsigned.
 * Reading: signature, clocks
 */
function sign(message: HttpMessage, generation: Generation, ports: MessagePorts): HttpMessage {
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
  service: HttpMessage['headers'],
  added: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const replaced = new Set(Object.keys(added).map((name) => name.toLowerCase()))
  const kept = Object.entries(service).filter(([name]) => !replaced.has(name.toLowerCase()))
  return { ...Object.fromEntries(kept), ...added }
}

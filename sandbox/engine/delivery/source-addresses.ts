import { sendingAddresses, type Generation } from '../../../spec/delivery.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Message } from '../core/ports.ts'

/**
 * A receiver identifies the sender in one of two ways. `loopback` binds the loopback image of a documented address, so that the
 * receiver filters real sockets. A header name is for receivers behind a trusted proxy.
 */
export type SourceAddresses =
  { readonly kind: 'loopback' } | { readonly kind: 'header'; readonly name: string }

export interface SourcePorts {
  readonly source?: SourceAddresses | undefined
  readonly readings: () => ReadingValues
}

/** The message as it leaves from one of the documented addresses, which take turns. Source: §5 */
export function leaveFromDocumentedAddress(
  message: Message,
  { generation, turn }: { readonly generation: Generation; readonly turn: number },
  { source, readings }: SourcePorts,
): Message {
  if (!source) return message
  const addresses = sendingAddresses(generation, readings())
  const address = addresses[turn % addresses.length]
  return address === undefined ? message : leaveFrom(message, address, source)
}

export function leaveFrom(message: Message, address: string, source: SourceAddresses): Message {
  if (source.kind === 'loopback') return { ...message, sourceAddress: loopbackImage(address) }
  return { ...message, headers: { ...message.headers, [source.name.toLowerCase()]: address } }
}

/** The same address in 127.0.0.0/8, which every Linux machine has: 13.236.213.54 becomes 127.236.213.54. */
function loopbackImage(address: string): string {
  return address.replace(/^\d+/, '127')
}

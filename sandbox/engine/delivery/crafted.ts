import type { Generation } from '../../../spec/delivery.ts'
import type { ReadingValues } from '../../../spec/readings.ts'
import type { Message } from '../core/ports.ts'
import { post } from './attempt.ts'
import { signed, type SigningPorts } from './signing.ts'
import { fromAddress, fromDocumentedAddress, type SourceAddresses } from './source-addresses.ts'

/** What is sent outside the service's own behaviour. */
export interface Crafted {
  readonly url: string
  readonly body: Uint8Array
  readonly generation: Generation
  /** In place of those of the service, or beside them, whatever the case of their names. */
  readonly headers: Readonly<Record<string, string>>
  /** One of the documented ones if left out. */
  readonly sourceAddress?: string | undefined
  readonly signed: boolean
}

export interface CraftedPorts extends SigningPorts {
  readonly readings: ReadingValues
  readonly source: SourceAddresses | undefined
}

/** The message as it is sent. */
export function craftedMessage(crafted: Crafted, ports: CraftedPorts): Message {
  const { url, body, generation, headers, sourceAddress } = crafted
  const plain = { ...post(url, ''), body }
  const covered = crafted.signed ? signed(plain, generation, ports) : plain
  const { source } = ports
  const placed =
    sourceAddress !== undefined && source
      ? fromAddress(covered, sourceAddress, source)
      : fromDocumentedAddress(covered, { generation, turn: 0 }, ports)
  return { ...placed, headers: merged(placed.headers, headers) }
}

function merged(
  own: Message['headers'],
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const taken = new Set(Object.keys(given).map((name) => name.toLowerCase()))
  const kept = Object.entries(own).filter(([name]) => !taken.has(name.toLowerCase()))
  return { ...Object.fromEntries(kept), ...given }
}

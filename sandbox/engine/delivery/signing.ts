import type { ReadingValues } from '../../../spec/readings.ts'
import { SIGNATURE_HEADER, signatureHeader } from '../../../spec/signature.ts'
import type { Message, RealTime } from '../core/ports.ts'
import type { Generation } from '../state/entries.ts'
import type { View } from '../state/view.ts'

export interface SigningPorts {
  readonly realTime: Pick<RealTime, 'now'>
  readonly view: Pick<View, 'secrets'>
  readonly readings: ReadingValues
}

/** Ours: how long a replaced secret goes on signing, in real time, so that a receiver can change over without a gap. */
const OVERLAP_MS = 24 * 3_600_000

/**
 * The message as it is sent now: a webhook is signed with the newest secret and with the one before while that is still
 * active; a callback never is. Reading: signature, clocks
 */
export function signed(
  message: Message,
  generation: Generation,
  { view, readings, realTime }: SigningPorts,
): Message {
  if (readings.signature === 'off' || generation === 'callbacks') return message
  const now = realTime.now()
  const [newest, previous] = view.secrets()
  if (!newest) return message
  const active = previous && now < newest.set_at + OVERLAP_MS ? [newest, previous] : [newest]
  const value = signatureHeader(
    active.map(({ secret }) => secret),
    Math.floor(now / 1_000),
    message.body,
  )
  return { ...message, headers: { ...message.headers, [SIGNATURE_HEADER]: value } }
}

import type { Ports } from '../core/ports.ts'
import type { AttemptHead, AttemptStartHead, Entry } from '../state/entries.ts'
import type { ExchangeRecord } from '../state/exchange.ts'

const MESSAGE =
  'Not sent: what the store has of its body is not what was written; "doctor --store" says what else is damaged'

const NOTHING: ExchangeRecord = { request_headers: [], request_body: '', response: null }

/** In place of an attempt of which the body is not what was written: nothing is sent, now and later. */
export function corruptAttempt(
  about: Omit<AttemptStartHead, 'kind' | 'at' | 'source_address'>,
  { clock, realTime }: Pick<Ports, 'clock' | 'realTime'>,
): Entry<AttemptHead> {
  const head: AttemptHead = {
    kind: 'attempt',
    at: clock.now(),
    ...about,
    recorded_at: realTime.now(),
    status: null,
    reason: 'corrupt',
    message: MESSAGE,
    next_due_at: null,
    flags: [],
    timings: { connectedMs: null, answeredMs: null, totalMs: null },
  }
  return { head, body: JSON.stringify(NOTHING) }
}

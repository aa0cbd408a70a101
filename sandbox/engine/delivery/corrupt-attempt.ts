import type { AttemptStartHead } from '../state/entries.ts'
import type { ExchangeRecord } from '../state/exchange.ts'
import type { EndedAttempt } from './ended-attempt.ts'

const MESSAGE =
  'Not sent: what the store has of its body is not what was written; "doctor --store" says what else is damaged'

const NOTHING: ExchangeRecord = { request_headers: [], request_body: '', response: null }

/** In place of an attempt of which the body is not what was written: nothing is sent, now and later. */
export function corruptAttempt(
  about: Omit<AttemptStartHead, 'kind' | 'at' | 'source_address'>,
): Pick<EndedAttempt, 'head' | 'body' | 'nextDueAt'> {
  return {
    head: {
      ...about,
      kind: 'attempt',
      status: null,
      reason: 'corrupt',
      message: MESSAGE,
      flags: [],
      timings: { connectedMs: null, answeredMs: null, totalMs: null },
    },
    body: JSON.stringify(NOTHING),
    nextDueAt: () => null,
  }
}
